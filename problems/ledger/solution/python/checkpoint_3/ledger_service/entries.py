"""Debits and credits."""

from dataclasses import dataclass

from ledger_service.accounts import Account
from ledger_service.errors import Unbalanced
from ledger_service.sides import DEBIT


@dataclass(frozen=True)
class Draft:
    """An entry as a request describes it."""

    account: str
    side: str
    amount: int  # in atoms


@dataclass(frozen=True)
class Entry:
    account: Account
    side: str
    amount: int

    @property
    def currency(self):
        return self.account.currency

    def effect(self):
        """Return by how much it raises the account's balance."""
        return self.account.effect(self.side, self.amount)

    def to_json(self):
        return {"account": self.account.name, self.side: self.currency.format(self.amount)}


def total(entries, side, currency):
    return sum(entry.amount for entry in entries if entry.side == side and entry.currency == currency)


def require_balance(entries):
    """Refuse entries whose debits and credits differ in a currency."""
    excess = {}
    for entry in entries:
        signed = entry.amount if entry.side == DEBIT else -entry.amount
        excess[entry.currency] = excess.get(entry.currency, 0) + signed
    if any(excess.values()):
        raise Unbalanced
