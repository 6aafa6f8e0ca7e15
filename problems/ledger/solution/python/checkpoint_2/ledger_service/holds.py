"""Money that is reserved for a transaction to come."""

from dataclasses import dataclass

from ledger_service.entries import CREDIT, DEBIT, Entry
from ledger_service.instants import format_instant
from ledger_service.money import format_amount

OPEN = "open"
CAPTURED = "captured"
RELEASED = "released"
EXPIRED = "expired"


@dataclass
class Hold:
    id: int
    debit: str
    credit: str
    amount: int
    expires: int
    memo: str
    captured: int = 0
    released: bool = False

    def state(self, now):
        if self.released:
            return RELEASED
        if self.captured == self.amount:
            return CAPTURED
        return EXPIRED if now >= self.expires else OPEN

    def unsettled(self):
        """Return what is neither captured nor given up, whether the hold has expired or not."""
        return 0 if self.released else self.amount - self.captured

    def remains(self, now):
        return self.unsettled() if self.state(now) == OPEN else 0

    def side_of(self, account):
        return DEBIT if account == self.debit else CREDIT

    def entries(self, amount):
        """Return the entries of a transaction that captures so much."""
        return [Entry(self.debit, DEBIT, amount), Entry(self.credit, CREDIT, amount)]

    def to_json(self, now):
        return {
            "id": self.id,
            "state": self.state(now),
            "debit": self.debit,
            "credit": self.credit,
            "amount": format_amount(self.amount),
            "captured": format_amount(self.captured),
            "remains": format_amount(self.remains(now)),
            "expires": format_instant(self.expires),
            "memo": self.memo,
        }
