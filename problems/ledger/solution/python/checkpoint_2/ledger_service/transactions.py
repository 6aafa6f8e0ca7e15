"""Transactions."""

from dataclasses import dataclass, field
from typing import List, Optional

from ledger_service.entries import DEBIT, Entry, total
from ledger_service.holds import Hold
from ledger_service.instants import format_instant
from ledger_service.money import format_amount


@dataclass
class Transaction:
    id: int
    at: int
    memo: str
    entries: List[Entry]
    hold: Optional[Hold] = None
    reverses: Optional[int] = None
    left: List[int] = field(init=False)

    def __post_init__(self):
        # What earlier reversals have left of each entry.
        self.left = [entry.amount for entry in self.entries]

    def amount(self):
        return total(self.entries, DEBIT)

    def amount_left(self):
        return sum(left for entry, left in zip(self.entries, self.left) if entry.side == DEBIT)

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
        reversed_amount = self.amount() - self.amount_left()
        if reversed_amount:
            value["reversed"] = format_amount(reversed_amount)
        return value
