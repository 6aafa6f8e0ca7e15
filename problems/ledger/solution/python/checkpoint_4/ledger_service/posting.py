"""Transactions that requests describe entry by entry."""

from ledger_service.entries import Entry, require_balance
from ledger_service.funds import Impact


def post(book, at, effective, memo, entries):
    book.require_effective(at, effective)
    resolved = resolve(book, entries)
    impact = Impact()
    impact.post(resolved, effective)
    impact.require_funds(at)
    return book.record(at, effective, memo, resolved)


def correct(book, transaction, at, effective, memo, entries):
    """Replace a transaction's entries, and its effective instant and memo where they are not None."""
    transaction.require_correctable()
    old = transaction.last
    if effective is None:
        effective = old.effective
    book.require_effective(at, old.effective)
    book.require_effective(at, effective)
    resolved = resolve(book, entries)
    impact = Impact()
    impact.cancel(old.entries, old.effective)
    impact.post(resolved, effective)
    impact.require_funds(at)
    return book.correct(transaction, at, effective, old.memo if memo is None else memo, resolved)


def resolve(book, drafts):
    """Return entries that balance from what a request describes."""
    accounts = [book.named(draft.account) for draft in drafts]
    entries = [
        Entry(account, draft.side, account.currency.units(draft.amount)) for account, draft in zip(accounts, drafts)
    ]
    require_balance(entries)
    return entries
