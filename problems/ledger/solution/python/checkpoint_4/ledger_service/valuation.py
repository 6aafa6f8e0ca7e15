"""What accounts are worth in one currency."""

from collections import Counter

from ledger_service.rounding import round_number, share_out
from ledger_service.sides import DEBIT


def valuation(book, currency, at, known, prefix):
    """Return a currency, its balance and its value for each row, and the total."""
    records = book.known_records(known)
    balances = Counter()
    for account in book.accounts.values():
        if account.name.startswith(prefix) and not account.is_for_exchange():
            balances[account.currency] += account.effect(DEBIT, account.balance_at(at, records))
    rows = [(held, balances[held]) for held in sorted(balances, key=lambda held: held.code) if balances[held]]
    exact = [book.way(held, currency, at, known).convert(balance, held, currency) for held, balance in rows]
    total = round_number(sum(exact), currency.rounding)
    return [(*row, value) for row, value in zip(rows, share_out(total, exact))], total
