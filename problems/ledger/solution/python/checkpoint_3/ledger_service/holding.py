"""What is done with holds."""

from ledger_service.errors import CurrencyMismatch, ExceedsHold, Expired
from ledger_service.holds import Hold


def make_hold(book, at, debit, credit, amount, expires, memo):
    debited, credited = book.named(debit), book.named(credit)
    if debited.currency != credited.currency:
        raise CurrencyMismatch
    units = debited.currency.units(amount)
    if expires <= at:
        raise Expired
    hold = Hold(len(book.holds) + 1, debited, credited, units, expires, memo)
    book.require_funds(at, hold.reservations(units))
    book.holds.append(hold)
    hold.note(units)
    return hold


def capture(book, hold, at, amount, final, memo):
    """Capture so much of a hold, or all that remains where the amount is None."""
    hold.require_open(at)
    remains = hold.remains(at)
    units = remains if amount is None else hold.currency.units(amount)
    if units > remains:
        raise ExceedsHold
    hold.settle(hold.captured + units, released=final and units < remains)
    return book.record(at, memo, hold.entries(units), hold=hold)


def release(hold, at):
    hold.require_open(at)
    hold.settle(hold.captured, released=True)
    return hold
