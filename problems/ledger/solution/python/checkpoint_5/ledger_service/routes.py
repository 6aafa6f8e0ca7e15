"""What can be asked: paths, what each takes, and who answers."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional

from ledger_service import answers, changes, schemas
from ledger_service.batches import complete_items, items
from ledger_service.book import Book
from ledger_service.fields import (
    PAGE,
    REQUIRED,
    complete_rate,
    default_to_at,
    distinct,
    require_span_or_cursor,
)
from ledger_service.schemas import AT


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
    """A POST request: `apply` changes the book and returns a status and what the answer shows."""

    pattern: str
    apply: Callable
    fields: Dict[str, Any]
    find: Optional[Callable] = None
    check: Optional[Callable] = None  # of several fields together
    takes_actor: bool = False
    needs_actor: bool = False
    method = "POST"


def leave_it(book, name):
    """Leave finding the account to the answer, which refuses what is no cursor before."""
    return name


def by_id(find):
    return lambda book, id: find(book, int(id))


ID = "([1-9][0-9]{0,17})"
NAME = "([a-z0-9._-]{1,64}|exchange:[A-Z]{3})"
CODE = "([A-Z]{3})"

ROUTES = [
    Read("/health", answers.show_health),
    Read("/time", answers.show_time),
    Change("/time", changes.move_time, AT),
    Change("/currencies", changes.make_currency, {**AT, **schemas.CURRENCY}),
    Read(f"/currencies/{CODE}", answers.show_currency, find=Book.currency),
    Change("/rates", changes.add_rate, {**AT, **schemas.RATE}, check=complete_rate),
    Read(f"/rates/{ID}", answers.show_rate, find=by_id(Book.rate)),
    Read("/factor", answers.show_factor, parameters=schemas.FACTOR),
    Change("/accounts", changes.open_account, {**AT, **schemas.ACCOUNT}),
    Read(f"/accounts/{NAME}", answers.show_account, find=Book.account),
    Read(f"/accounts/{NAME}/entries", answers.list_lines, find=Book.account, parameters=PAGE),
    Read(f"/accounts/{NAME}/funds", answers.show_funds, find=Book.account),
    Read(f"/accounts/{NAME}/holds", answers.list_holds, find=Book.account, parameters=PAGE),
    Read(f"/accounts/{NAME}/balance", answers.show_balance, find=Book.account, parameters=schemas.AS_OF),
    Read(
        f"/accounts/{NAME}/statement",
        answers.show_statement,
        find=leave_it,
        parameters=schemas.STATEMENT,
        check=require_span_or_cursor,
    ),
    Read(f"/accounts/{NAME}/limit", answers.show_limit, find=Book.account),
    Change("/limits", changes.limit_account, {**AT, **schemas.ACCOUNT_LIMIT}),
    Change(
        "/transactions",
        changes.post_transaction,
        {**AT, **schemas.TRANSACTION},
        check=default_to_at("effective"),
        takes_actor=True,
    ),
    Read(f"/transactions/{ID}", answers.show_transaction, find=by_id(Book.transaction), parameters=schemas.KNOWN),
    Change(
        f"/transactions/{ID}/corrections",
        changes.correct_transaction,
        {**AT, **schemas.CORRECTION},
        find=by_id(Book.transaction),
    ),
    Change(
        f"/transactions/{ID}/reversals",
        changes.reverse_transaction,
        {**AT, **schemas.REVERSAL},
        find=by_id(Book.transaction),
        check=default_to_at("effective"),
    ),
    Change(
        "/exchanges",
        changes.exchange_money,
        {**AT, **schemas.EXCHANGE},
        check=default_to_at("effective"),
        takes_actor=True,
    ),
    Change("/holds", changes.make_hold, {**AT, **schemas.HOLD}, check=distinct("debit", "credit")),
    Read(f"/holds/{ID}", answers.show_hold, find=by_id(Book.hold)),
    Change(f"/holds/{ID}/captures", changes.capture_hold, {**AT, **schemas.CAPTURE}, find=by_id(Book.hold)),
    Change(f"/holds/{ID}/release", changes.release_hold, AT, find=by_id(Book.hold)),
    Change("/closings", changes.close_books, {**AT, **schemas.CLOSING}),
    Read("/closings", answers.show_closing),
    Change("/rules", changes.set_rule, {**AT, **schemas.RULE}),
    Read("/proposals", answers.list_proposals, parameters=schemas.PROPOSALS),
    Read(f"/proposals/{ID}", answers.show_proposal, find=by_id(Book.proposal)),
    Change(
        f"/proposals/{ID}/approvals",
        changes.approve_proposal,
        AT,
        find=by_id(Book.proposal),
        takes_actor=True,
        needs_actor=True,
    ),
    Change(
        f"/proposals/{ID}/rejections",
        changes.reject_proposal,
        AT,
        find=by_id(Book.proposal),
        takes_actor=True,
        needs_actor=True,
    ),
    Change("/batches", changes.post_batch, {**AT, "items": (items, REQUIRED)}, check=complete_items),
    Read("/trial", answers.show_trial, parameters=schemas.TRIAL),
    Read("/valuation", answers.show_valuation, parameters=schemas.VALUATION),
]
