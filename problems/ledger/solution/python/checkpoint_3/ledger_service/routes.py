"""What can be asked: paths, what each takes, and who answers."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional

from ledger_service import answers, changes
from ledger_service.book import Book
from ledger_service.fields import (
    PAGE,
    REQUIRED,
    amount,
    amount_or_zero,
    boolean,
    code,
    distinct,
    entries,
    instant,
    name,
    one_of,
    optional,
    prefix,
    text,
    whole_number,
)
from ledger_service.rounding import RAISES
from ledger_service.sides import SIDES


@dataclass(frozen=True)
class Read:
    """A GET request: `answer` is given the book, the path's subject if there is one, and the parameters."""

    pattern: str
    answer: Callable
    find: Optional[Callable] = None
    parameters: Dict[str, Any] = field(default_factory=dict)
    method = "GET"


@dataclass(frozen=True)
class Change:
    """A POST request: `apply` changes the book and returns what the answer shows."""

    pattern: str
    apply: Callable
    fields: Dict[str, Any]
    find: Optional[Callable] = None
    check: Optional[Callable] = None  # of several fields together
    status: int = 201
    method = "POST"


def by_id(find):
    return lambda book, id: find(book, int(id))


ID = "([1-9][0-9]{0,17})"
NAME = "([a-z0-9._-]{1,64}|exchange:[A-Z]{3})"
CODE = "([A-Z]{3})"

AT = {"at": (instant, REQUIRED)}
MEMO = {"memo": (text, "")}
PART = {"amount": (optional(amount), None)}
TWO_ACCOUNTS = {"debit": (name, REQUIRED), "credit": (name, REQUIRED), "amount": (amount, REQUIRED)}
TWO_CURRENCIES = {"from": (code, REQUIRED), "to": (code, REQUIRED)}

ACCOUNT = {
    "account": (name, REQUIRED),
    "side": (one_of(SIDES), REQUIRED),
    "currency": (code, "EUR"),
    "overdraft": (optional(amount_or_zero), None),
}
CURRENCY = {
    "currency": (code, REQUIRED),
    "digits": (whole_number(0, 12), REQUIRED),
    "rounding": (one_of(RAISES), REQUIRED),
}

ROUTES = [
    Read("/health", answers.show_health),
    Read("/time", answers.show_time),
    Change("/time", changes.move_time, AT, status=200),
    Change("/currencies", changes.make_currency, {**AT, **CURRENCY}),
    Read(f"/currencies/{CODE}", answers.show_currency, find=Book.currency),
    Change(
        "/rates",
        changes.add_rate,
        {**AT, **TWO_CURRENCIES, "rate": (amount, REQUIRED), "since": (instant, None)},
        check=changes.complete_rate,
    ),
    Read(f"/rates/{ID}", answers.show_rate, find=by_id(Book.rate)),
    Read("/factor", answers.show_factor, parameters={**TWO_CURRENCIES, "at": (instant, None)}),
    Change("/accounts", changes.open_account, {**AT, **ACCOUNT}),
    Read(f"/accounts/{NAME}", answers.show_account, find=Book.account),
    Read(f"/accounts/{NAME}/entries", answers.list_lines, find=Book.account, parameters=PAGE),
    Read(f"/accounts/{NAME}/funds", answers.show_funds, find=Book.account),
    Read(f"/accounts/{NAME}/holds", answers.list_holds, find=Book.account, parameters=PAGE),
    Change("/transactions", changes.post_transaction, {**AT, **MEMO, "entries": (entries, REQUIRED)}),
    Read(f"/transactions/{ID}", answers.show_transaction, find=by_id(Book.transaction)),
    Change(
        f"/transactions/{ID}/reversals",
        changes.reverse_transaction,
        {**AT, **PART, **MEMO},
        find=by_id(Book.transaction),
    ),
    Change("/exchanges", changes.exchange_money, {**AT, **MEMO, **TWO_ACCOUNTS, "of": (one_of(SIDES), REQUIRED)}),
    Change(
        "/holds",
        changes.make_hold,
        {**AT, **MEMO, **TWO_ACCOUNTS, "expires": (instant, REQUIRED)},
        check=distinct("debit", "credit"),
    ),
    Read(f"/holds/{ID}", answers.show_hold, find=by_id(Book.hold)),
    Change(
        f"/holds/{ID}/captures",
        changes.capture_hold,
        {**AT, **PART, **MEMO, "final": (boolean, False)},
        find=by_id(Book.hold),
    ),
    Change(f"/holds/{ID}/release", changes.release_hold, AT, find=by_id(Book.hold), status=200),
    Read("/trial", answers.show_trial, parameters={"currency": (code, "EUR")}),
    Read(
        "/valuation",
        answers.show_valuation,
        parameters={"currency": (code, REQUIRED), "at": (instant, None), "prefix": (prefix, "")},
    ),
]
