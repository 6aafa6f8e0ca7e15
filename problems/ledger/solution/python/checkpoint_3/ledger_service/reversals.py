"""How a transaction is undone, or a part of it."""

from fractions import Fraction

from ledger_service.entries import Entry
from ledger_service.errors import AlreadyReversed, ExceedsTransaction, IsReversal, MixedCurrencies
from ledger_service.rounding import share_out
from ledger_service.sides import OPPOSITE, SIDES


def reverse(book, transaction, at, amount, memo):
    """Undo so much of a transaction, or all that is left where the amount is None."""
    shares = shares_to_reverse(transaction, amount)
    entries = reversing_entries(transaction, shares)
    # Where a hold is open again, it reserves no more than the reversal gives back.
    book.require_funds(at, book.effects(entries))
    transaction.left = [left - share for left, share in zip(transaction.left, shares)]
    if transaction.hold:
        hold = transaction.hold
        hold.settle(hold.captured - shares[0], hold.released)
    return book.record(at, memo, entries, reverses=transaction.id)


def shares_to_reverse(transaction, amount):
    """Return what is taken of each entry."""
    if transaction.reverses:
        raise IsReversal
    left = transaction.amount_left()
    if not left:
        raise AlreadyReversed
    if amount is None:
        return transaction.left
    if transaction.is_mixed():
        raise MixedCurrencies
    units = transaction.currency.units(amount)
    if units > left:
        raise ExceedsTransaction
    return shares_of_entries(transaction, Fraction(units, left), units)


def shares_of_entries(transaction, part, units):
    """Share units out among the entries of each side, in proportion to what is left of them."""
    shares = [0] * len(transaction.entries)
    for side in SIDES:
        places = [index for index, entry in enumerate(transaction.entries) if entry.side == side]
        exact = [part * transaction.left[index] for index in places]
        for index, share in zip(places, share_out(units, exact)):
            shares[index] = share
    return shares


def reversing_entries(transaction, shares):
    pairs = zip(transaction.entries, shares)
    return [Entry(entry.account, OPPOSITE[entry.side], share) for entry, share in pairs if share]
