"""Transactions."""

from dataclasses import dataclass, field
from typing import List, Optional

from ledger_service.entries import Entry, total
from ledger_service.holds import Hold
from ledger_service.instants import format_instant
from ledger_service.rates import Rate
from ledger_service.sides import DEBIT


@dataclass
class Transaction:
    id: int
    at: int
    memo: str
    entries: List[Entry]
    hold: Optional[Hold] = None
    reverses: Optional[int] = None
    rates: List[Rate] = field(default_factory=list)
    left: List[int] = field(init=False)

    def __post_init__(self):
        # What earlier reversals have left of each entry.
        self.left = [entry.amount for entry in self.entries]

    @property
    def currency(self):
        """What its amounts are counted in."""
        return self.entries[0].currency

    def is_mixed(self):
        return any(entry.currency != self.currency for entry in self.entries)

    def amount(self):
        return total(self.entries, DEBIT, self.currency)

    def amount_left(self):
        rest = [Entry(entry.account, entry.side, left) for entry, left in zip(self.entries, self.left)]
        return total(rest, DEBIT, self.currency)

    def to_json(self):
        value = {
            "id": self.id,
            "at": format_instant(self.at),
            "memo": self.memo,
            "entries": [entry.to_json() for entry in self.entries],
        }
        if self.hold:
            value["hold"] = self.hold.id
        if self.reverses:
            value["reverses"] = self.reverses
        if self.rates:
            value["rates"] = [rate.id for rate in self.rates]
        reversed_amount = self.amount() - self.amount_left()
        if reversed_amount:
            value["reversed"] = self.currency.format(reversed_amount)
        return value
