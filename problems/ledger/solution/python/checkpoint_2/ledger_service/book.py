"""The accounts, transactions and holds of a ledger."""

from collections import Counter

from ledger_service.accounts import Account
from ledger_service.entries import CREDIT, DEBIT, require_balance
from ledger_service.errors import (
    AlreadyReversed,
    ExceedsHold,
    ExceedsTransaction,
    Exists,
    Expired,
    HoldClosed,
    Insufficient,
    IsReversal,
    NotFound,
    OutOfOrder,
    UnknownAccount,
)
from ledger_service.holds import OPEN, Hold
from ledger_service.reversals import reversing_entries, shares_of_reversal
from ledger_service.transactions import Transaction


class Book:
    """Everything that was posted and held. A method that raises has changed nothing.

    Time moves on when a change has succeeded; until then, `at` says when it is asked for.
    """

    def __init__(self):
        self.now = None
        self.accounts = {}
        self.transactions = []
        self.holds = []

    def require_order(self, at):
        """Refuse an instant that lies before the ledger's time."""
        if self.now is not None and at < self.now:
            raise OutOfOrder

    def account(self, name):
        if name not in self.accounts:
            raise NotFound
        return self.accounts[name]

    def transaction(self, id):
        return numbered(self.transactions, id)

    def hold(self, id):
        return numbered(self.holds, id)

    def open_account(self, account, side, overdraft):
        if account in self.accounts:
            raise Exists
        self.accounts[account] = Account(account, side, overdraft)
        return self.accounts[account]

    def post(self, at, memo, entries):
        self.require_accounts(entry.account for entry in entries)
        require_balance(entries)
        self.require_funds(at, self.effects(entries))
        return self.record(at, memo, entries)

    def make_hold(self, at, debit, credit, amount, expires, memo):
        self.require_accounts([debit, credit])
        if expires <= at:
            raise Expired
        hold = Hold(len(self.holds) + 1, debit, credit, amount, expires, memo)
        self.require_funds(at, self.lowered(hold, amount))
        self.holds.append(hold)
        self.note_hold(hold, amount)
        return hold

    def capture(self, hold, at, amount, final, memo):
        require_open(hold, at)
        remains = hold.remains(at)
        if amount is None:
            amount = remains
        if amount > remains:
            raise ExceedsHold
        self.settle(hold, hold.captured + amount, released=final and amount < remains)
        return self.record(at, memo, hold.entries(amount), hold=hold)

    def release(self, hold, at):
        require_open(hold, at)
        self.settle(hold, hold.captured, released=True)
        return hold

    def settle(self, hold, captured, released):
        before = hold.unsettled()
        hold.captured, hold.released = captured, released
        self.note_hold(hold, hold.unsettled() - before)

    def note_hold(self, hold, change):
        for account in (hold.debit, hold.credit):
            self.accounts[account].note_hold(hold, change)

    def reverse(self, transaction, at, amount, memo):
        """Undo so much of a transaction, or all that is left where the amount is None."""
        if transaction.reverses:
            raise IsReversal
        left = transaction.amount_left()
        if not left:
            raise AlreadyReversed
        if amount is None:
            amount = left
        if amount > left:
            raise ExceedsTransaction
        shares = shares_of_reversal(transaction, amount)
        entries = reversing_entries(transaction, shares)
        # Where a hold is open again, it reserves no more than the reversal gives back.
        self.require_funds(at, self.effects(entries))
        transaction.left = [left - share for left, share in zip(transaction.left, shares)]
        if transaction.hold:
            self.settle(transaction.hold, transaction.hold.captured - amount, transaction.hold.released)
        return self.record(at, memo, entries, reverses=transaction.id)

    def record(self, at, memo, entries, hold=None, reverses=None):
        transaction = Transaction(len(self.transactions) + 1, at, memo, entries, hold, reverses)
        self.transactions.append(transaction)
        for entry in entries:
            self.accounts[entry.account].post(transaction.id, at, entry.side, entry.amount)
        return transaction

    def require_accounts(self, names):
        if any(name not in self.accounts for name in names):
            raise UnknownAccount

    def effects(self, entries):
        """Return by how much entries raise the balances of accounts, in the order of their first entries."""
        changes = Counter()
        for entry in entries:
            changes[entry.account] += self.accounts[entry.account].effect(entry.side, entry.amount)
        return changes

    def lowered(self, hold, amount):
        """Return by how much a hold of this amount changes what is available on its accounts."""
        changes = self.effects(hold.entries(amount))
        return Counter({account: change for account, change in changes.items() if change < 0})

    def require_funds(self, at, changes):
        """Refuse changes of what is available that would overdraw an account."""
        for name, change in changes.items():
            if self.accounts[name].is_overdrawn_by(change, at):
                raise Insufficient(account=name)

    def trial(self):
        """Return the accounts that have a balance, by name, and the sums of both sides."""
        accounts = [self.accounts[name] for name in sorted(self.accounts) if self.accounts[name].balance]
        sums = {DEBIT: 0, CREDIT: 0}
        for account in accounts:
            side, amount = account.row()
            sums[side] += amount
        return accounts, sums


def numbered(items, id):
    """Return the item of this id, where ids count from 1."""
    if not 1 <= id <= len(items):
        raise NotFound
    return items[id - 1]


def require_open(hold, at):
    if hold.state(at) != OPEN:
        raise HoldClosed
