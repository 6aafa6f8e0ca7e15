"""Transactions that requests describe entry by entry."""

from ledger_service.entries import Entry, require_balance


def post(book, at, memo, entries):
    accounts = [book.named(draft.account) for draft in entries]
    resolved = [
        Entry(account, draft.side, account.currency.units(draft.amount)) for account, draft in zip(accounts, entries)
    ]
    require_balance(resolved)
    book.require_funds(at, book.effects(resolved))
    return book.record(at, memo, resolved)
