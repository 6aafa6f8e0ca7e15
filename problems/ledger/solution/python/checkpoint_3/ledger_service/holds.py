"""Money that is reserved for a transaction to come."""

from dataclasses import dataclass

from ledger_service.accounts import Account
from ledger_service.entries import Entry
from ledger_service.errors import HoldClosed
from ledger_service.instants import format_instant
from ledger_service.sides import CREDIT, DEBIT

OPEN = "open"
CAPTURED = "captured"
RELEASED = "released"
EXPIRED = "expired"


@dataclass
class Hold:
    id: int
    debit: Account
    credit: Account
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

    def require_open(self, now):
        if self.state(now) != OPEN:
            raise HoldClosed

    def unsettled(self):
        """Return what is neither captured nor given up, whether the hold has expired or not."""
        return 0 if self.released else self.amount - self.captured

    def remains(self, now):
        return self.unsettled() if self.state(now) == OPEN else 0

    @property
    def currency(self):
        return self.debit.currency

    def entries(self, amount):
        """Return the entries of a transaction that captures so much."""
        return [Entry(self.debit, DEBIT, amount), Entry(self.credit, CREDIT, amount)]

    def reservations(self, amount):
        """Return by how much a hold of this amount lowers what is available on accounts."""
        return {entry.account: -amount for entry in self.entries(amount) if self.reserves_on(entry.account)}

    def reserves_on(self, account):
        return account.side != (DEBIT if account is self.debit else CREDIT)

    def settle(self, captured, released):
        before = self.unsettled()
        self.captured, self.released = captured, released
        self.note(self.unsettled() - before)

    def note(self, change):
        """Let both accounts know of a change of what is not settled."""
        for account in (self.debit, self.credit):
            account.note_hold(self, change)

    def to_json(self, now):
        return {
            "id": self.id,
            "state": self.state(now),
            "debit": self.debit.name,
            "credit": self.credit.name,
            "amount": self.currency.format(self.amount),
            "captured": self.currency.format(self.captured),
            "remains": self.currency.format(self.remains(now)),
            "expires": format_instant(self.expires),
            "memo": self.memo,
        }
