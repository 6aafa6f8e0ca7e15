"""What can be asked: paths, what each takes, and who answers."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional

from ledger_service.book import Book
from ledger_service.entries import CREDIT, DEBIT, SIDES
from ledger_service.fields import (
    PAGE,
    REQUIRED,
    amount,
    amount_or_zero,
    boolean,
    entries,
    instant,
    name,
    one_of,
    optional,
    text,
    two_accounts,
)
from ledger_service.instants import format_instant
from ledger_service.money import format_amount


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


def show_health(book):
    return {"status": "ok"}


def show_time(book):
    return {"now": None if book.now is None else format_instant(book.now)}


def show_account(book, account):
    return account.to_json()


def list_lines(book, account, after, limit):
    # Lines are numbered from 1 without gaps.
    shown = account.lines[after : after + limit]
    more = after + limit < len(account.lines)
    return {"entries": [line.to_json() for line in shown], "next": shown[-1].seq if more else None}


def show_funds(book, account):
    return {
        "balance": format_amount(account.balance),
        "held": format_amount(account.held(book.now)),
        "available": format_amount(account.available(book.now)),
    }


def list_holds(book, account, after, limit):
    shown, more = account.holds.page(book.now, after, limit)
    return {"holds": [hold.to_json(book.now) for hold in shown], "next": shown[-1].id if more else None}


def show_hold(book, hold):
    return hold.to_json(book.now)


def show_transaction(book, transaction):
    return transaction.to_json()


def show_trial(book):
    accounts, sums = book.trial()
    rows = []
    for account in accounts:
        side, amount = account.row()
        rows.append({"account": account.name, side: format_amount(amount)})
    return {"rows": rows, **{side: format_amount(sums[side]) for side in (DEBIT, CREDIT)}}


def open_account(book, at, account, side, overdraft):
    return book.open_account(account, side, overdraft).to_json()


def post_transaction(book, at, memo, entries):
    return book.post(at, memo, entries).to_json()


def move_time(book, at):
    return {"now": format_instant(at)}


def make_hold(book, at, **fields):
    return book.make_hold(at, **fields).to_json(at)


def capture_hold(book, hold, at, **fields):
    return book.capture(hold, at, **fields).to_json()


def release_hold(book, hold, at):
    return book.release(hold, at).to_json(at)


def reverse_transaction(book, transaction, at, **fields):
    return book.reverse(transaction, at, **fields).to_json()


def find_transaction(book, id):
    return book.transaction(int(id))


def find_hold(book, id):
    return book.hold(int(id))


ID = "([1-9][0-9]{0,17})"
NAME = "([a-z0-9._-]{1,64})"
AT = {"at": (instant, REQUIRED)}
MEMO = {"memo": (text, "")}
PART = {"amount": (optional(amount), None)}

ROUTES = [
    Read("/health", show_health),
    Read("/time", show_time),
    Change("/time", move_time, AT, status=200),
    Change(
        "/accounts",
        open_account,
        {
            **AT,
            "account": (name, REQUIRED),
            "side": (one_of(SIDES), REQUIRED),
            "overdraft": (optional(amount_or_zero), None),
        },
    ),
    Read(f"/accounts/{NAME}", show_account, find=Book.account),
    Read(f"/accounts/{NAME}/entries", list_lines, find=Book.account, parameters=PAGE),
    Read(f"/accounts/{NAME}/funds", show_funds, find=Book.account),
    Read(f"/accounts/{NAME}/holds", list_holds, find=Book.account, parameters=PAGE),
    Change("/transactions", post_transaction, {**AT, **MEMO, "entries": (entries, REQUIRED)}),
    Read(f"/transactions/{ID}", show_transaction, find=find_transaction),
    Change(f"/transactions/{ID}/reversals", reverse_transaction, {**AT, **PART, **MEMO}, find=find_transaction),
    Change(
        "/holds",
        make_hold,
        {
            **AT,
            **MEMO,
            "debit": (name, REQUIRED),
            "credit": (name, REQUIRED),
            "amount": (amount, REQUIRED),
            "expires": (instant, REQUIRED),
        },
        check=two_accounts,
    ),
    Read(f"/holds/{ID}", show_hold, find=find_hold),
    Change(
        f"/holds/{ID}/captures",
        capture_hold,
        {**AT, **PART, **MEMO, "final": (boolean, False)},
        find=find_hold,
    ),
    Change(f"/holds/{ID}/release", release_hold, AT, find=find_hold, status=200),
    Read("/trial", show_trial),
]
