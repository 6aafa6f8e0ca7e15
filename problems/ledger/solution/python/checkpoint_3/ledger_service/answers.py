"""What GET requests are answered."""

from ledger_service.instants import format_instant
from ledger_service.sides import CREDIT, DEBIT
from ledger_service.valuation import valuation


def show_health(book):
    return {"status": "ok"}


def show_time(book):
    return {"now": None if book.now is None else format_instant(book.now)}


def show_currency(book, currency):
    return currency.to_json()


def show_rate(book, rate):
    return rate.to_json()


def show_factor(book, at, **parameters):
    source, target = book.coded(parameters["from"]), book.coded(parameters["to"])
    way = book.way(source, target, book.now if at is None else at)
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


def show_transaction(book, transaction):
    return transaction.to_json()


def show_trial(book, currency):
    known = book.coded(currency)
    accounts, sums = book.trial(known)
    rows = []
    for account in accounts:
        side, amount = account.row()
        rows.append({"account": account.name, side: known.format(amount)})
    return {"rows": rows, **{side: known.format(sums[side]) for side in (DEBIT, CREDIT)}}


def show_valuation(book, currency, at, prefix):
    known = book.coded(currency)
    rows, total = valuation(book, known, book.now if at is None else at, prefix)
    return {
        "currency": known.code,
        "total": known.format(total),
        "rows": [
            {"currency": held.code, "balance": held.format(balance), "value": known.format(value)}
            for held, balance, value in rows
        ],
    }
