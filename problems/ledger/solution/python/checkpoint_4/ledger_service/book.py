"""What a ledger knows: its currencies, rates, accounts, transactions and holds."""

from bisect import bisect_right

from ledger_service.accounts import EXCHANGE, Account
from ledger_service.currencies import EUR, Currency
from ledger_service.errors import (
    Closed,
    Exists,
    InFuture,
    NotFound,
    OutOfOrder,
    UnknownAccount,
    UnknownCurrency,
)
from ledger_service.rates import Moment, Rates
from ledger_service.sides import CREDIT
from ledger_service.transactions import Reversal, Transaction, Version


class Book:
    """Everything that was recorded. A method that raises has changed nothing.

    Time moves on when a change has succeeded; until then, `at` says when it is asked for.
    """

    def __init__(self):
        self.now = None
        self.currencies = {}
        self.rates = Rates()
        self.accounts = {}
        self.transactions = []
        self.holds = []
        self.records = []  # the instants at which something was posted
        self.closed_until = None
        self.add_currency(EUR)

    def require_order(self, at):
        """Refuse an instant that lies before the ledger's time."""
        if self.now is not None and at < self.now:
            raise OutOfOrder

    def require_effective(self, at, effective):
        """Refuse to change anything at an instant that is closed or still to come."""
        if self.closed_until is not None and effective < self.closed_until:
            raise Closed
        if effective > at:
            raise InFuture

    # What a path names.

    def currency(self, code):
        if code not in self.currencies:
            raise NotFound
        return self.currencies[code]

    def account(self, name):
        if name not in self.accounts:
            raise NotFound
        return self.accounts[name]

    def rate(self, id):
        return numbered(self.rates.recorded, id)

    def transaction(self, id):
        return numbered(self.transactions, id)

    def hold(self, id):
        return numbered(self.holds, id)

    # What a body or a query names.

    def coded(self, code):
        if code not in self.currencies:
            raise UnknownCurrency
        return self.currencies[code]

    def named(self, name):
        if name not in self.accounts:
            raise UnknownAccount
        return self.accounts[name]

    # Changes.

    def make_currency(self, currency, digits, rounding):
        if currency in self.currencies:
            raise Exists
        return self.add_currency(Currency(currency, digits, rounding))

    def add_currency(self, currency):
        self.currencies[currency.code] = currency
        name = EXCHANGE + currency.code
        self.accounts[name] = Account(name, CREDIT, currency, None)
        return currency

    def open_account(self, account, side, currency, overdraft):
        if account in self.accounts:
            raise Exists
        known = self.coded(currency)
        limit = None if overdraft is None else known.units(overdraft)
        self.accounts[account] = Account(account, side, known, limit)
        return self.accounts[account]

    def add_rate(self, at, source, target, rate, since):
        return self.rates.add(at, self.coded(source), self.coded(target), rate, since)

    def close(self, at, until):
        self.require_effective(at, until)
        if until == self.closed_until:
            raise Closed
        self.closed_until = until

    # Postings of entries that were found to be in order.

    def record(self, at, effective, memo, entries, **origin):
        transaction = Transaction(len(self.transactions) + 1, [], **origin)
        self.transactions.append(transaction)
        self.records.append(at)
        self.add_version(transaction, at, effective, memo, entries)
        return transaction

    def reverse(self, transaction, at, effective, memo, entries, shares, amount):
        reversal = self.record(at, effective, memo, entries, reverses=transaction.id)
        transaction.left = [left - share for left, share in zip(transaction.left, shares)]
        transaction.reversals.append(Reversal(len(self.records), amount))
        return reversal

    def correct(self, transaction, at, effective, memo, entries):
        self.records.append(at)
        record = len(self.records)
        old = transaction.last
        for line, entry in zip(old.lines, old.entries):
            entry.account.cancel(record, line, at)
        self.add_version(transaction, at, effective, memo, entries)
        return transaction

    def add_version(self, transaction, at, effective, memo, entries):
        record = len(self.records)
        lines = [
            entry.account.post(record, transaction.id, at, effective, entry.side, entry.amount) for entry in entries
        ]
        transaction.add_version(Version(record, at, effective, memo, entries, lines))

    # What follows from it.

    def known_records(self, known):
        """Return how many records were known at an instant; None stands for all that is known."""
        return len(self.records) if known is None else bisect_right(self.records, known)

    def way(self, source, target, at, known):
        return self.rates.way(source, target, Moment(at, known), self.currencies.values())

    def trial(self, currency, effective, known):
        """Return for each of the currency's accounts, by name, its name, the side of its balance, and that."""
        records = self.known_records(known)
        rows = []
        for name in sorted(self.accounts):
            account = self.accounts[name]
            balance = account.balance_at(effective, records) if account.currency == currency else 0
            if balance:
                rows.append((name, *account.row(balance)))
        return rows


def numbered(items, id):
    """Return the item of this id, where ids count from 1."""
    if not 1 <= id <= len(items):
        raise NotFound
    return items[id - 1]
