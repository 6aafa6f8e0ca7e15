"""Transactions and their entries."""

from dataclasses import dataclass
from typing import List

from ledger_service.accounts import CREDIT, DEBIT
from ledger_service.errors import Unbalanced
from ledger_service.instants import format_instant
from ledger_service.money import format_amount


@dataclass(frozen=True)
class Entry:
    account: str
    side: str
    amount: int

    def to_json(self):
        return {"account": self.account, self.side: format_amount(self.amount)}


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


def total(entries, side):
    return sum(entry.amount for entry in entries if entry.side == side)


def require_balance(entries):
    if total(entries, DEBIT) != total(entries, CREDIT):
        raise Unbalanced
