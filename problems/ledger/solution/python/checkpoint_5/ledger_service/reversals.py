"""How a transaction is undone, or a part of it."""

from fractions import Fraction

from ledger_service.errors import ExceedsTransaction, MixedCurrencies
from ledger_service.funds import Impact
from ledger_service.rounding import share_out
from ledger_service.sides import SIDES


def reverse(book, transaction, at, effective, amount, memo):
    """Undo so much of a transaction, or all that is left where the amount is None."""
    transaction.require_reversible()
    book.require_effective(at, effective)
    units = units_to_reverse(transaction, amount)
    shares = transaction.left if units == transaction.amount_left() else shares_of_entries(transaction, units)
    entries = reversing_entries(transaction, shares)
    impact = Impact()
    impact.post(entries, effective)
    # Where a hold is open again, it reserves no more than the reversal gives back.
    impact.require_funds(at)
    if transaction.hold:
        hold = transaction.hold
        hold.settle(hold.captured - units, hold.released)
    return book.reverse(transaction, at, effective, memo, entries, shares, units)


def units_to_reverse(transaction, amount):
    left = transaction.amount_left()
    if amount is None:
        return left
    if transaction.last.is_mixed():
        raise MixedCurrencies
    units = transaction.last.currency.units(amount)
    if units > left:
        raise ExceedsTransaction
    return units


def shares_of_entries(transaction, units):
    """Share units out among the entries of each side, in proportion to what is left of them."""
    entries = transaction.last.entries
    part = Fraction(units, transaction.amount_left())
    shares = [0] * len(entries)
    for side in SIDES:
        places = [index for index, entry in enumerate(entries) if entry.side == side]
        exact = [part * transaction.left[index] for index in places]
        for index, share in zip(places, share_out(units, exact)):
            shares[index] = share
    return shares


def reversing_entries(transaction, shares):
    pairs = zip(transaction.last.entries, shares)
    return [entry.reversed(share) for entry, share in pairs if share]
