"""One account, and what was posted to it."""

from dataclasses import dataclass, field
from typing import List, Optional

from ledger_service.entries import OPPOSITE
from ledger_service.instants import format_instant
from ledger_service.money import format_amount
from ledger_service.open_holds import OpenHolds
from ledger_service.timeline import Timeline


@dataclass
class Line:
    """An entry as its account keeps it."""

    seq: int
    transaction: int
    at: int
    side: str
    amount: int
    balance: int

    def to_json(self):
        return {
            "seq": self.seq,
            "transaction": self.transaction,
            "at": format_instant(self.at),
            self.side: format_amount(self.amount),
            "balance": format_amount(self.balance),
        }


@dataclass
class Account:
    name: str
    side: str
    overdraft: Optional[int]
    balance: int = 0
    lines: List[Line] = field(default_factory=list)
    holds: OpenHolds = field(default_factory=OpenHolds)
    reserved: Timeline = field(default_factory=Timeline)  # by open holds, until they expire

    def effect(self, side, amount):
        """Return by how much an entry raises the balance."""
        return amount if side == self.side else -amount

    def is_lowered_by(self, side):
        return side != self.side

    def held(self, now):
        """Return what open holds reserve."""
        return self.reserved.total_after(now)

    def note_hold(self, hold, change):
        """Take note of a hold, of whose amount so much more is not settled than before."""
        if self.is_lowered_by(hold.side_of(self.name)):
            self.reserved.add(hold.expires, change)
        if hold.unsettled():
            self.holds.put(hold)
        else:
            self.holds.drop(hold.id)

    def available(self, now):
        return self.balance - self.held(now)

    def is_overdrawn_by(self, change, now):
        """Whether what is available may not change by so much."""
        if change >= 0 or self.overdraft is None:
            return False
        return self.available(now) + change < -self.overdraft

    def post(self, transaction, at, side, amount):
        self.balance += self.effect(side, amount)
        self.lines.append(Line(len(self.lines) + 1, transaction, at, side, amount, self.balance))

    def row(self):
        """Return the side that the balance is in favour of, and by how much."""
        if self.balance >= 0:
            return self.side, self.balance
        return OPPOSITE[self.side], -self.balance

    def to_json(self):
        return {
            "account": self.name,
            "side": self.side,
            "overdraft": None if self.overdraft is None else format_amount(self.overdraft),
            "balance": format_amount(self.balance),
        }
