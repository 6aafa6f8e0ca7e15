"""What GET requests are answered."""

from ledger_service.errors import NotFound
from ledger_service.instants import format_instant
from ledger_service.sides import CREDIT, DEBIT
from ledger_service.statements import Scope, Statement, scope_of_cursor
from ledger_service.valuation import valuation


def show_health(book):
    return {"status": "ok"}


def show_time(book):
    return {"now": None if book.now is None else format_instant(book.now)}


def show_currency(book, currency):
    return currency.to_json()


def show_rate(book, rate):
    return rate.to_json()


def show_factor(book, at, known, **parameters):
    source, target = book.coded(parameters["from"]), book.coded(parameters["to"])
    way = book.way(source, target, book.now if at is None else at, known)
    return {
        "factor": f"{way.factor.numerator}/{way.factor.denominator}",
        "rates": [rate.id for rate in way.rates],
    }


def show_account(book, account):
    return account.to_json()


def list_lines(book, account, after, limit):
    # Lines are numbered from 1 without gaps.
    shown = account.lines[after : after + limit]
    more = after + limit < len(account.lines)
    return {
        "entries": [line.to_json(account.currency) for line in shown],
        "next": shown[-1].seq if more else None,
    }


def show_funds(book, account):
    show = account.currency.format
    return {
        "balance": show(account.balance),
        "held": show(account.held(book.now)),
        "available": show(account.available(book.now)),
    }


def list_holds(book, account, after, limit):
    shown, more = account.holds.page(book.now, after, limit)
    return {"holds": [hold.to_json(book.now) for hold in shown], "next": shown[-1].id if more else None}


def show_hold(book, hold):
    return hold.to_json(book.now)


def show_balance(book, account, effective, known):
    balance = account.balance_at(effective, book.known_records(known))
    return {"balance": account.currency.format(balance)}


def show_statement(book, name, known, cursor, limit, **span):
    if cursor is None:
        scope = Scope(name, span["from"], span["to"], book.known_records(known))
    else:
        scope = scope_of_cursor(cursor, name)
    return Statement(book.account(name), scope).to_json(limit)


def show_transaction(book, transaction, known):
    records = book.known_records(known)
    if not transaction.known_versions(records):
        raise NotFound
    return transaction.to_json(records)


def show_trial(book, currency, effective, known):
    counted = book.coded(currency)
    rows = []
    sums = {DEBIT: 0, CREDIT: 0}
    for name, side, amount in book.trial(counted, effective, known):
        rows.append({"account": name, side: counted.format(amount)})
        sums[side] += amount
    return {"rows": rows, **{side: counted.format(amount) for side, amount in sums.items()}}


def show_closing(book):
    return {"until": None if book.closed_until is None else format_instant(book.closed_until)}


def show_valuation(book, currency, at, known, prefix):
    counted = book.coded(currency)
    rows, total = valuation(book, counted, book.now if at is None else at, known, prefix)
    return {
        "currency": counted.code,
        "total": counted.format(total),
        "rows": [
            {"currency": held.code, "balance": held.format(balance), "value": counted.format(value)}
            for held, balance, value in rows
        ],
    }
