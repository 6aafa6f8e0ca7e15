"""What can be asked: paths, what each takes, and who answers."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional

from ledger_service import answers, changes
from ledger_service.book import Book
from ledger_service.fields import (
    LIMIT,
    PAGE,
    REQUIRED,
    amount,
    amount_or_zero,
    boolean,
    code,
    complete_rate,
    cursor,
    default_to_at,
    distinct,
    entries,
    instant,
    name,
    one_of,
    optional,
    prefix,
    require_span_or_cursor,
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
    check: Optional[Callable] = None  # of several parameters together
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


def leave_it(book, name):
    """Leave finding the account to the answer, which refuses what is no cursor before."""
    return name


def by_id(find):
    return lambda book, id: find(book, int(id))


ID = "([1-9][0-9]{0,17})"
NAME = "([a-z0-9._-]{1,64}|exchange:[A-Z]{3})"
CODE = "([A-Z]{3})"

AT = {"at": (instant, REQUIRED)}
MEMO = {"memo": (text, "")}
PART = {"amount": (optional(amount), None)}
TWO_ACCOUNTS = {"debit": (name, REQUIRED), "credit": (name, REQUIRED), "amount": (amount, REQUIRED)}
EFFECTIVE = {"effective": (instant, None)}
KNOWN = {"known": (instant, None)}
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
        check=complete_rate,
    ),
    Read(f"/rates/{ID}", answers.show_rate, find=by_id(Book.rate)),
    Read("/factor", answers.show_factor, parameters={**TWO_CURRENCIES, **KNOWN, "at": (instant, None)}),
    Change("/accounts", changes.open_account, {**AT, **ACCOUNT}),
    Read(f"/accounts/{NAME}", answers.show_account, find=Book.account),
    Read(f"/accounts/{NAME}/entries", answers.list_lines, find=Book.account, parameters=PAGE),
    Read(f"/accounts/{NAME}/funds", answers.show_funds, find=Book.account),
    Read(f"/accounts/{NAME}/holds", answers.list_holds, find=Book.account, parameters=PAGE),
    Read(f"/accounts/{NAME}/balance", answers.show_balance, find=Book.account, parameters={**EFFECTIVE, **KNOWN}),
    Read(
        f"/accounts/{NAME}/statement",
        answers.show_statement,
        find=leave_it,
        parameters={"from": (instant, None), "to": (instant, None), **KNOWN, "cursor": (cursor, None), **LIMIT},
        check=require_span_or_cursor,
    ),
    Change(
        "/transactions",
        changes.post_transaction,
        {**AT, **EFFECTIVE, **MEMO, "entries": (entries, REQUIRED)},
        check=default_to_at("effective"),
    ),
    Read(f"/transactions/{ID}", answers.show_transaction, find=by_id(Book.transaction), parameters=KNOWN),
    Change(
        f"/transactions/{ID}/corrections",
        changes.correct_transaction,
        {
            **AT,
            "effective": (optional(instant), None),
            "memo": (optional(text), None),
            "entries": (entries, REQUIRED),
        },
        find=by_id(Book.transaction),
    ),
    Change(
        f"/transactions/{ID}/reversals",
        changes.reverse_transaction,
        {**AT, **EFFECTIVE, **PART, **MEMO},
        find=by_id(Book.transaction),
        check=default_to_at("effective"),
    ),
    Change(
        "/exchanges",
        changes.exchange_money,
        {**AT, **EFFECTIVE, **MEMO, **TWO_ACCOUNTS, "of": (one_of(SIDES), REQUIRED)},
        check=default_to_at("effective"),
    ),
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
    Change("/closings", changes.close_books, {**AT, "until": (instant, REQUIRED)}),
    Read("/closings", answers.show_closing),
    Read("/trial", answers.show_trial, parameters={"currency": (code, "EUR"), **EFFECTIVE, **KNOWN}),
    Read(
        "/valuation",
        answers.show_valuation,
        parameters={"currency": (code, REQUIRED), "at": (instant, None), **KNOWN, "prefix": (prefix, "")},
    ),
]
