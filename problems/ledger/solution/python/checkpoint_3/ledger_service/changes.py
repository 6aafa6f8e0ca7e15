"""What POST requests do, and what they are answered."""

from ledger_service.exchanges import exchange
from ledger_service.fields import distinct
from ledger_service.holding import capture, make_hold as hold_money, release
from ledger_service.instants import format_instant
from ledger_service.posting import post
from ledger_service.reversals import reverse


def move_time(book, at):
    return {"now": format_instant(at)}


def make_currency(book, at, **fields):
    return book.make_currency(**fields).to_json()


def complete_rate(fields):
    distinct("from", "to")(fields)
    if fields["since"] is None:
        fields["since"] = fields["at"]


def add_rate(book, at, **fields):
    return book.add_rate(fields["from"], fields["to"], fields["rate"], fields["since"]).to_json()


def open_account(book, at, **fields):
    return book.open_account(**fields).to_json()


def post_transaction(book, **fields):
    return post(book, **fields).to_json()


def exchange_money(book, **fields):
    return exchange(book, **fields).to_json()


def reverse_transaction(book, transaction, **fields):
    return reverse(book, transaction, **fields).to_json()


def make_hold(book, at, **fields):
    return hold_money(book, at, **fields).to_json(at)


def capture_hold(book, hold, **fields):
    return capture(book, hold, **fields).to_json()


def release_hold(book, hold, at):
    return release(hold, at).to_json(at)
