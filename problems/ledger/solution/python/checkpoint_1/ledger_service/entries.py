"""Debits and credits."""

from dataclasses import dataclass

from ledger_service.errors import Unbalanced
from ledger_service.money import format_amount

DEBIT = "debit"
CREDIT = "credit"
SIDES = (DEBIT, CREDIT)
OPPOSITE = {DEBIT: CREDIT, CREDIT: DEBIT}


@dataclass(frozen=True)
class Entry:
    account: str
    side: str
    amount: int

    def to_json(self):
        return {"account": self.account, self.side: format_amount(self.amount)}


def total(entries, side):
    return sum(entry.amount for entry in entries if entry.side == side)


def require_balance(entries):
    if total(entries, DEBIT) != total(entries, CREDIT):
        raise Unbalanced
