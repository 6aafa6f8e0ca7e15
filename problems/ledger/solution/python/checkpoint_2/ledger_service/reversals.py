"""How a transaction is undone, or a part of it."""

from ledger_service.entries import OPPOSITE, SIDES, Entry


def share_out(amount, claims):
    """Share an amount in proportion to the claims, by the largest remainders."""
    whole = sum(claims)
    shares = [amount * claim // whole for claim in claims]
    lost = [amount * claim % whole for claim in claims]
    missing = amount - sum(shares)
    for index in sorted(range(len(claims)), key=lambda index: -lost[index])[:missing]:
        shares[index] += 1
    return shares


def shares_of_reversal(transaction, amount):
    """Return what a reversal of so much takes of each entry."""
    shares = [0] * len(transaction.entries)
    for side in SIDES:
        places = [index for index, entry in enumerate(transaction.entries) if entry.side == side]
        parts = share_out(amount, [transaction.left[index] for index in places])
        for index, part in zip(places, parts):
            shares[index] = part
    return shares


def reversing_entries(transaction, shares):
    pairs = zip(transaction.entries, shares)
    return [Entry(entry.account, OPPOSITE[entry.side], share) for entry, share in pairs if share]
