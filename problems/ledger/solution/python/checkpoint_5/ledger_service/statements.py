"""An account's entries by their effective instants."""

import base64
import hashlib
import json
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from typing import Optional

from ledger_service.errors import BadRequest
from ledger_service.instants import format_instant
from ledger_service.sides import CREDIT, DEBIT


@dataclass(frozen=True)
class Scope:
    """Which entries a statement has, and from which of them on a page shows them."""

    account: str
    start: Optional[int]
    end: Optional[int]
    records: int
    skip: int = 0

    def is_before(self, line):
        return self.start is not None and line.effective < self.start

    def is_within(self, line):
        return not self.is_before(line) and (self.end is None or line.effective < self.end)

    def to_cursor(self):
        content = base64.urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode().rstrip("=")
        return f"{content}.{seal(content)}"


def seal(content):
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def scope_of_cursor(cursor, account):
    """Return the scope that a cursor of this account stands for."""
    content, _, end = cursor.partition(".")
    if end != seal(content):
        raise BadRequest
    scope = Scope(**json.loads(base64.urlsafe_b64decode(content + "=" * (-len(content) % 4))))
    if scope.account != account.name:
        raise BadRequest
    return scope


class Statement:
    def __init__(self, account, scope):
        self.account = account
        self.scope = scope
        in_force = [line for line in account.lines if line.is_in_force(scope.records)]
        self.opening = account.sum_of(line for line in in_force if scope.is_before(line))
        # Lines of one transaction stay in their order.
        self.lines = sorted(filter(scope.is_within, in_force), key=lambda line: (line.effective, line.transaction))
        self.balances = list(accumulate(map(account.effect_of, self.lines), initial=self.opening))

    def total(self, side):
        return sum(line.amount for line in self.lines if line.side == side)

    def next_page(self, end):
        return replace(self.scope, skip=end).to_cursor() if end < len(self.lines) else None

    def to_json(self, limit):
        """Return the page that begins where the scope says."""
        show = self.account.currency.format
        start, end = self.scope.skip, self.scope.skip + limit
        # The first balance is the one before all lines.
        pairs = zip(self.lines[start:end], self.balances[start + 1 : end + 1])
        return {
            "opening": show(self.opening),
            "debits": show(self.total(DEBIT)),
            "credits": show(self.total(CREDIT)),
            "closing": show(self.balances[-1]),
            "lines": [show_line(line, balance, show) for line, balance in pairs],
            "next": self.next_page(end),
        }


def show_line(line, balance, show):
    return {
        "transaction": line.transaction,
        "effective": format_instant(line.effective),
        "at": format_instant(line.at),
        line.side: show(line.amount),
        "balance": show(balance),
    }
