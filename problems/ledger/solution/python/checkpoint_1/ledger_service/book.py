"""The accounts and transactions of a ledger."""

from ledger_service.accounts import Account
from ledger_service.entries import CREDIT, DEBIT, require_balance
from ledger_service.errors import Exists, Insufficient, NotFound, OutOfOrder, UnknownAccount
from ledger_service.transactions import Transaction


class Book:
    """Everything that was posted. A method that raises has changed nothing."""

    def __init__(self):
        self.now = None
        self.accounts = {}
        self.transactions = []

    def require_order(self, at):
        """Refuse an instant that lies before the ledger's time."""
        if self.now is not None and at < self.now:
            raise OutOfOrder

    def account(self, name):
        if name not in self.accounts:
            raise NotFound
        return self.accounts[name]

    def transaction(self, id):
        if not 1 <= id <= len(self.transactions):
            raise NotFound
        return self.transactions[id - 1]

    def open_account(self, account, side, overdraft):
        if account in self.accounts:
            raise Exists
        self.accounts[account] = Account(account, side, overdraft)
        return self.accounts[account]

    def post(self, at, memo, entries):
        self.require_accounts(entries)
        require_balance(entries)
        self.require_funds(entries)
        transaction = Transaction(len(self.transactions) + 1, at, memo, entries)
        self.transactions.append(transaction)
        for entry in entries:
            self.accounts[entry.account].post(transaction.id, at, entry.side, entry.amount)
        return transaction

    def require_accounts(self, entries):
        if any(entry.account not in self.accounts for entry in entries):
            raise UnknownAccount

    def require_funds(self, entries):
        """Refuse entries that would overdraw an account."""
        changes = {}
        for entry in entries:
            effect = self.accounts[entry.account].effect(entry.side, entry.amount)
            changes[entry.account] = changes.get(entry.account, 0) + effect
        for name, change in changes.items():
            if self.accounts[name].is_overdrawn_by(change):
                raise Insufficient(account=name)

    def trial(self):
        """Return the accounts that have a balance, by name, and the sums of both sides."""
        accounts = [self.accounts[name] for name in sorted(self.accounts) if self.accounts[name].balance]
        sums = {DEBIT: 0, CREDIT: 0}
        for account in accounts:
            side, amount = account.row()
            sums[side] += amount
        return accounts, sums
