"""One account, and what was posted to it."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ledger_service.currencies import EUR, Currency
from ledger_service.instants import format_instant
from ledger_service.limits import Limit
from ledger_service.sides import OPPOSITE

EXCHANGE = "exchange:"


@dataclass
class Line:
    """An entry as its account keeps it.

    Records count everything that was ever posted, so that a number of records says what was known.
    A correction cancels lines by opposite ones; both stay, but statements show neither.
    """

    seq: int
    record: int
    transaction: int
    at: int
    effective: int
    side: str
    amount: int
    balance: int
    cancels: bool = False
    cancelled: Optional[int] = None

    def is_known(self, records):
        return self.record <= records

    def is_in_force(self, records):
        cancelled = self.cancelled is not None and self.cancelled <= records
        return self.is_known(records) and not self.cancels and not cancelled

    def to_json(self, currency):
        value = {
            "seq": self.seq,
            "transaction": self.transaction,
            "at": format_instant(self.at),
            self.side: currency.format(self.amount),
            "balance": currency.format(self.balance),
        }
        if self.effective != self.at:
            value["effective"] = format_instant(self.effective)
        return value


@dataclass(eq=False)
class Account:
    name: str
    side: str
    currency: Currency
    overdraft: Optional[int]
    balance: int = 0
    lines: List[Line] = field(default_factory=list)
    moves: Counter = field(default_factory=Counter)  # by effective instants
    holds: List[Any] = field(default_factory=list)
    proposals: List[Any] = field(default_factory=list)
    limit: Optional[Limit] = None
    sources: Dict[Any, None] = field(default_factory=dict)  # what money may leave by, in order

    def effect(self, side, amount):
        """Return by how much an entry raises the balance."""
        return amount if side == self.side else -amount

    def held(self, now):
        """Return what open holds and pending proposals reserve."""
        return sum(source.reserved_on(self, now) for source in (*self.holds, *self.proposals))

    def available(self, now):
        return self.balance - self.held(now)

    def is_overdrawn_by(self, change, now):
        """Whether what is available may not change by so much."""
        return change < 0 and self.is_below_limit(self.available(now) + change)

    def is_overdrawn_in_past_by(self, changes):
        """Whether the balance may not change by so much from these effective instants on."""
        if self.overdraft is None:
            return False
        balance = change = 0
        for instant in sorted(self.moves.keys() | changes.keys()):
            balance += self.moves[instant]
            change += changes[instant]
            if change < 0 and self.is_below_limit(balance + change):
                return True
        return False

    def is_below_limit(self, amount):
        return self.overdraft is not None and amount < -self.overdraft

    def post(self, record, transaction, at, effective, side, amount, cancels=False):
        effect = self.effect(side, amount)
        self.balance += effect
        self.moves[effective] += effect
        seq = len(self.lines) + 1
        line = Line(seq, record, transaction, at, effective, side, amount, self.balance, cancels)
        self.lines.append(line)
        return line

    def balance_at(self, effective, records):
        """Return the balance at an instant, None being the last, as it was known with so many records."""
        return self.sum_of(
            line
            for line in self.lines
            if line.is_known(records) and (effective is None or line.effective <= effective)
        )

    def sum_of(self, lines):
        return sum(map(self.effect_of, lines))

    def effect_of(self, line):
        return self.effect(line.side, line.amount)

    def unpost(self, line):
        """Take back the last line."""
        effect = self.effect_of(line)
        self.balance -= effect
        self.moves[line.effective] -= effect
        self.lines.pop()

    def used(self, now, without=None):
        """Return what has left within the window of the limit, one source not counted."""
        begin = self.limit.begin(now)
        return sum(
            source.outflow(self, now) for source in self.sources if source.at > begin and source is not without
        )

    def row(self, balance):
        """Return the side that a balance is in favour of, and by how much."""
        if balance >= 0:
            return self.side, balance
        return OPPOSITE[self.side], -balance

    def is_for_exchange(self):
        return self.name.startswith(EXCHANGE)

    def to_json(self):
        value = {
            "account": self.name,
            "side": self.side,
            "overdraft": None if self.overdraft is None else self.currency.format(self.overdraft),
            "balance": self.currency.format(self.balance),
        }
        if self.currency != EUR:
            value["currency"] = self.currency.code
        return value
