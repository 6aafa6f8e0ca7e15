"""How much may leave an account within a time."""

from dataclasses import dataclass

from ledger_service.errors import LimitExceeded
from ledger_service.instants import SECOND


@dataclass(frozen=True)
class Limit:
    amount: int
    window: int  # in seconds

    def begin(self, now):
        """Return the instant after which what leaves counts."""
        return now - self.window * SECOND

    def to_json(self, currency):
        return {"amount": currency.format(self.amount), "window": self.window}


def outflows(changes):
    """Return what leaves each account, of changes by account."""
    return {account: -change for account, change in changes.items() if change < 0}


def require_limits(at, leaving, without=None):
    """Refuse what would leave accounts beyond their limits; `without` is counted no more."""
    for account, amount in leaving.items():
        if account.limit is not None and used(account, at, without) + amount > account.limit.amount:
            raise LimitExceeded(account=account.name)


def used(account, at, without):
    freed = without is not None and without.at > account.limit.begin(at)
    return account.used(at) - (without.reserved[account] if freed else 0)
