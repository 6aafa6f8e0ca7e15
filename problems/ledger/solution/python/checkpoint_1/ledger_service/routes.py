"""What can be asked: paths, what each takes, and who answers."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional

from ledger_service.book import Book
from ledger_service.entries import CREDIT, DEBIT, SIDES
from ledger_service.fields import PAGE, REQUIRED, amount_or_zero, entries, instant, name, one_of, optional, text
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


def find_transaction(book, id):
    return book.transaction(int(id))


ID = "([1-9][0-9]{0,17})"
NAME = "([a-z0-9._-]{1,64})"
AT = {"at": (instant, REQUIRED)}

ROUTES = [
    Read("/health", show_health),
    Read("/time", show_time),
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
    Change("/transactions", post_transaction, {**AT, "memo": (text, ""), "entries": (entries, REQUIRED)}),
    Read(f"/transactions/{ID}", show_transaction, find=find_transaction),
    Read("/trial", show_trial),
]
