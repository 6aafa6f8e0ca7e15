"""An account's entries by their effective instants."""

import base64
import hashlib
import json
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, islice
from typing import Optional, Sequence

from ledger_service.errors import BadRequest
from ledger_service.history import BEGINNING, END, after, before
from ledger_service.instants import format_instant
from ledger_service.sides import CREDIT, DEBIT


@dataclass(frozen=True)
class Scope:
    """Which entries a statement has, and after which of them, by its key, a page shows them."""

    account: str
    start: Optional[int]
    end: Optional[int]
    records: int
    shown: Optional[Sequence[int]] = None

    @property
    def begin_bound(self):
        return BEGINNING if self.start is None else before(self.start)

    @property
    def end_bound(self):
        return END if self.end is None else before(self.end)

    @property
    def page_bound(self):
        return self.begin_bound if self.shown is None else after(self.shown)

    def to_cursor(self):
        content = base64.urlsafe_b64encode(json.dumps(asdict(self)).encode()).decode().rstrip("=")
        return f"{content}.{seal(content)}"


def seal(content):
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def scope_of_cursor(cursor, account):
    """Return the scope that a cursor of the account of this name stands for."""
    content, _, end = cursor.partition(".")
    if end != seal(content):
        raise BadRequest
    scope = Scope(**json.loads(base64.urlsafe_b64decode(content + "=" * (-len(content) % 4))))
    if scope.account != account:
        raise BadRequest
    return scope


class Statement:
    def __init__(self, account, scope):
        self.account = account
        self.scope = scope

    def total(self, side):
        until, earlier = (
            self.account.history.total(side, self.scope.records, bound)
            for bound in (self.scope.end_bound, self.scope.begin_bound)
        )
        return until - earlier

    def balance_before(self, bound):
        return self.account.balance_before(bound, self.scope.records)

    def lines_of_page(self, most):
        keys = self.account.history.keys(self.scope.records, self.scope.page_bound, self.scope.end_bound)
        return [self.account.line_of(key) for key in islice(keys, most)]

    def to_json(self, limit):
        """Return the page that begins where the scope says."""
        show = self.account.currency.format
        found = self.lines_of_page(limit + 1)
        lines = found[:limit]
        effects = (self.account.effect(line.side, line.amount) for line in lines)
        _, *balances = accumulate(effects, initial=self.balance_before(self.scope.page_bound))
        return {
            "opening": show(self.balance_before(self.scope.begin_bound)),
            "debits": show(self.total(DEBIT)),
            "credits": show(self.total(CREDIT)),
            "closing": show(self.balance_before(self.scope.end_bound)),
            "lines": [show_line(line, balance, show) for line, balance in zip(lines, balances)],
            "next": replace(self.scope, shown=lines[-1].key).to_cursor() if len(found) > limit else None,
        }


def show_line(line, balance, show):
    return {
        "transaction": line.transaction,
        "effective": format_instant(line.effective),
        "at": format_instant(line.at),
        line.side: show(line.amount),
        "balance": show(balance),
    }
