"""One account, and what was posted to it."""

from dataclasses import dataclass, field
from itertools import accumulate
from typing import List, Optional

from ledger_service.currencies import EUR, Currency
from ledger_service.history import END, History, before
from ledger_service.instants import format_instant
from ledger_service.limits import Limit
from ledger_service.open_holds import OpenHolds
from ledger_service.outflows import Outflows
from ledger_service.sides import OPPOSITE, SIDES
from ledger_service.timeline import Timeline

EXCHANGE = "exchange:"
FOR_EVER = float("inf")


@dataclass
class Line:
    """An entry as its account keeps it."""

    seq: int
    transaction: int
    at: int
    effective: int
    side: str
    amount: int
    balance: int

    @property
    def key(self):
        """What statements are ordered by; those of one transaction stay in their order."""
        return self.effective, self.transaction, self.seq

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
    moves: Timeline = field(default_factory=Timeline)  # of the balance, by effective instants
    history: History = field(default_factory=History)
    holds: OpenHolds = field(default_factory=OpenHolds)
    reserved: Timeline = field(default_factory=Timeline)  # by open holds and pending proposals, until they expire
    limit: Optional[Limit] = None
    outflows: Outflows = field(default_factory=Outflows)

    def effect(self, side, amount):
        """Return by how much an entry raises the balance."""
        return amount if side == self.side else -amount

    def held(self, now):
        """Return what open holds and pending proposals reserve."""
        return self.reserved.total_after(now)

    def note_hold(self, hold, captured, unsettled):
        """Take note of a hold, of which so much more is captured and so much more is not settled than before."""
        if hold.reserves_on(self):
            self.outflows.add(hold.at, captured)
            self.note_claim(hold, unsettled)
        if hold.unsettled():
            self.holds.put(hold)
        else:
            self.holds.drop(hold.id)

    def note_claim(self, claim, change):
        """Take note of how much more a hold or a proposal reserves until it expires."""
        self.reserved.add(claim.expires, change)
        self.outflows.add_until(claim.expires, claim.at, change)

    def available(self, now):
        return self.balance - self.held(now)

    def is_overdrawn_by(self, change, now):
        """Whether what is available may not change by so much."""
        return change < 0 and self.is_below_limit(self.available(now) + change)

    def is_overdrawn_in_past_by(self, changes):
        """Whether the balance may not change by so much from these effective instants on."""
        if self.overdraft is None:
            return False
        instants = sorted(changes)
        sums = accumulate(changes[instant] for instant in instants)
        return any(
            change < 0 and self.is_below_limit(self.moves.lowest(begin, end) + change)
            for begin, end, change in zip(instants, [*instants[1:], FOR_EVER], sums)
        )

    def is_below_limit(self, amount):
        return self.overdraft is not None and amount < -self.overdraft

    # Records count everything that was ever posted, so that a number of records says what was known.

    def post(self, record, transaction, at, effective, side, amount):
        line = self.add_line(transaction, at, effective, side, amount)
        self.history.post(record, line)
        return line

    def cancel(self, record, line, at):
        """Post the opposite of a line, of which statements show neither from then on."""
        self.add_line(line.transaction, at, line.effective, OPPOSITE[line.side], line.amount)
        self.history.cancel(record, line)

    def add_line(self, transaction, at, effective, side, amount):
        effect = self.effect(side, amount)
        self.balance += effect
        self.moves.add(effective, effect)
        line = Line(len(self.lines) + 1, transaction, at, effective, side, amount, self.balance)
        self.lines.append(line)
        return line

    def unpost(self, line):
        """Take back the last line."""
        effect = self.effect(line.side, line.amount)
        self.balance -= effect
        self.moves.add(line.effective, -effect)
        self.lines.pop()
        self.history.unpost(line)

    def balance_at(self, effective, records):
        """Return the balance at an instant, None being the last, as it was known with so many records."""
        return self.balance_before(END if effective is None else before(effective + 1), records)

    def balance_before(self, bound, records):
        return sum(self.effect(side, self.history.total(side, records, bound)) for side in SIDES)

    def used(self, now):
        """Return what has left within the window of the limit."""
        return self.outflows.total(self.limit.begin(now), now)

    def line_of(self, key):
        return self.lines[key[-1] - 1]

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
