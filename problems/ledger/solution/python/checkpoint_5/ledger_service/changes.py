"""What POST requests do, and what they are answered: a status and a JSON value."""

from ledger_service.approving import approve, propose, reject
from ledger_service.batches import carry_out_batch
from ledger_service.exchanges import plan_exchange
from ledger_service.holding import capture, make_hold as hold_money, release
from ledger_service.instants import format_instant
from ledger_service.posting import correct, plan_transaction
from ledger_service.reversals import reverse
from ledger_service.rules import rules_that_apply


def move_time(book, at):
    return 200, {"now": format_instant(at)}


def make_currency(book, at, **fields):
    return 201, book.make_currency(**fields).to_json()


def add_rate(book, at, **fields):
    return 201, book.add_rate(at, fields["from"], fields["to"], fields["rate"], fields["since"]).to_json()


def open_account(book, at, **fields):
    return 201, book.open_account(**fields).to_json()


def limit_account(book, at, account, limit):
    known = book.limit_account(account, limit)
    return 201, {"account": known.name, "limit": known.limit and known.limit.to_json(known.currency)}


def set_rule(book, at, currency, rule):
    known = book.set_rule(currency, rule)
    in_force = book.rules.get(known)
    return 201, {"currency": known.code, "rule": in_force and in_force.to_json(known)}


def post_transaction(book, at, by, **fields):
    return settle(book, at, by, plan_transaction(book, at, **fields))


def exchange_money(book, at, by, **fields):
    return settle(book, at, by, plan_exchange(book, at, **fields))


def settle(book, at, by, plan):
    """Carry a plan out, or make it a proposal if it needs approval."""
    rules = rules_that_apply(book.rules, plan.entries)
    if rules:
        return 202, propose(book, at, by, plan, rules).to_json(at)
    return 201, show(book, plan.carry_out(book, at))


def approve_proposal(book, proposal, at, by):
    return 200, approve(book, proposal, at, by).to_json(at)


def reject_proposal(book, proposal, at, by):
    return 200, reject(proposal, at).to_json(at)


def post_batch(book, at, items):
    return 201, {"results": carry_out_batch(book, items)}


def reverse_transaction(book, transaction, **fields):
    return 201, show(book, reverse(book, transaction, **fields))


def correct_transaction(book, transaction, **fields):
    return 201, show(book, correct(book, transaction, **fields))


def show(book, transaction):
    return transaction.to_json(book.known_records(None))


def make_hold(book, at, **fields):
    return 201, hold_money(book, at, **fields).to_json(at)


def capture_hold(book, hold, **fields):
    return 201, show(book, capture(book, hold, **fields))


def release_hold(book, hold, at):
    return 200, release(hold, at).to_json(at)


def close_books(book, at, until):
    book.close(at, until)
    return 201, {"until": format_instant(until)}
