"""The two sides of an account."""

DEBIT = "debit"
CREDIT = "credit"
SIDES = (DEBIT, CREDIT)
OPPOSITE = {DEBIT: CREDIT, CREDIT: DEBIT}
