"""Transactions."""

from dataclasses import dataclass
from typing import List

from ledger_service.entries import Entry
from ledger_service.instants import format_instant


@dataclass
class Transaction:
    id: int
    at: int
    memo: str
    entries: List[Entry]

    def to_json(self):
        return {
            "id": self.id,
            "at": format_instant(self.at),
            "memo": self.memo,
            "entries": [entry.to_json() for entry in self.entries],
        }
