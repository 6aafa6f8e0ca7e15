"""Transactions between currencies."""

from ledger_service.accounts import EXCHANGE
from ledger_service.entries import Entry
from ledger_service.errors import CurrencyMismatch, TooSmall
from ledger_service.rounding import round_number
from ledger_service.sides import CREDIT, DEBIT


def exchange(book, at, debit, credit, amount, of, memo):
    accounts = {DEBIT: book.named(debit), CREDIT: book.named(credit)}
    if accounts[DEBIT].currency == accounts[CREDIT].currency:
        raise CurrencyMismatch
    given = accounts.pop(of)
    [(other_side, other)] = accounts.items()
    units = given.currency.units(amount)
    way = book.way(given.currency, other.currency, at)
    converted = round_number(way.convert(units, given.currency, other.currency), other.currency.rounding)
    if not converted:
        raise TooSmall
    entries = exchange_entries(book, {of: (given, units), other_side: (other, converted)})
    book.require_funds(at, book.effects(entries))
    return book.record(at, memo, entries, rates=way.rates)


def exchange_entries(book, parts):
    """Return entries that balance in both currencies, of an account and its amount for either side."""
    debit, debited = parts[DEBIT]
    credit, credited = parts[CREDIT]
    return [
        Entry(debit, DEBIT, debited),
        Entry(book.account(EXCHANGE + debit.currency.code), CREDIT, debited),
        Entry(book.account(EXCHANGE + credit.currency.code), DEBIT, credited),
        Entry(credit, CREDIT, credited),
    ]
