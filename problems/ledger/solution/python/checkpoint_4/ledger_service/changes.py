"""What POST requests do, and what they are answered."""

from ledger_service.exchanges import exchange
from ledger_service.holding import capture, make_hold as hold_money, release
from ledger_service.instants import format_instant
from ledger_service.posting import correct, post
from ledger_service.reversals import reverse


def move_time(book, at):
    return {"now": format_instant(at)}


def make_currency(book, at, **fields):
    return book.make_currency(**fields).to_json()


def add_rate(book, at, **fields):
    return book.add_rate(at, fields["from"], fields["to"], fields["rate"], fields["since"]).to_json()


def open_account(book, at, **fields):
    return book.open_account(**fields).to_json()


def post_transaction(book, **fields):
    return show(book, post(book, **fields))


def exchange_money(book, **fields):
    return show(book, exchange(book, **fields))


def reverse_transaction(book, transaction, **fields):
    return show(book, reverse(book, transaction, **fields))


def correct_transaction(book, transaction, **fields):
    return show(book, correct(book, transaction, **fields))


def show(book, transaction):
    return transaction.to_json(book.known_records(None))


def make_hold(book, at, **fields):
    return hold_money(book, at, **fields).to_json(at)


def capture_hold(book, hold, **fields):
    return show(book, capture(book, hold, **fields))


def release_hold(book, hold, at):
    return release(hold, at).to_json(at)


def close_books(book, at, until):
    book.close(at, until)
    return {"until": format_instant(until)}
