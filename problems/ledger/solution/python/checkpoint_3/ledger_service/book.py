"""What a ledger knows: its currencies, rates, accounts, transactions and holds."""

from collections import Counter

from ledger_service.accounts import EXCHANGE, Account
from ledger_service.currencies import EUR, Currency
from ledger_service.errors import Exists, Insufficient, NotFound, OutOfOrder, UnknownAccount, UnknownCurrency
from ledger_service.rates import Rates
from ledger_service.sides import CREDIT, DEBIT
from ledger_service.transactions import Transaction


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
        self.add_currency(EUR)

    def require_order(self, at):
        """Refuse an instant that lies before the ledger's time."""
        if self.now is not None and at < self.now:
            raise OutOfOrder

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

    def add_rate(self, source, target, rate, since):
        return self.rates.add(self.coded(source), self.coded(target), rate, since)

    def record(self, at, memo, entries, **origin):
        """Post entries that were found to be in order."""
        transaction = Transaction(len(self.transactions) + 1, at, memo, entries, **origin)
        self.transactions.append(transaction)
        for entry in entries:
            entry.account.post(transaction.id, at, entry.side, entry.amount)
        return transaction

    # What follows from it.

    def way(self, source, target, at):
        return self.rates.way(source, target, at, self.currencies.values())

    def effects(self, entries):
        """Return by how much entries raise the balances of accounts, in the order of their first entries."""
        changes = Counter()
        for entry in entries:
            changes[entry.account] += entry.effect()
        return changes

    def require_funds(self, at, changes):
        """Refuse changes of what is available that would overdraw an account."""
        for account, change in changes.items():
            if account.is_overdrawn_by(change, at):
                raise Insufficient(account=account.name)

    def trial(self, currency):
        """Return the currency's accounts that have a balance, by name, and the sums of both sides."""
        accounts = [account for account in self.accounts.values() if account.currency == currency and account.balance]
        sums = {DEBIT: 0, CREDIT: 0}
        for account in accounts:
            side, amount = account.row()
            sums[side] += amount
        return sorted(accounts, key=lambda account: account.name), sums


def numbered(items, id):
    """Return the item of this id, where ids count from 1."""
    if not 1 <= id <= len(items):
        raise NotFound
    return items[id - 1]
