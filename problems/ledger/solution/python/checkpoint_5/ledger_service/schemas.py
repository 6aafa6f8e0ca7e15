"""What the bodies and queries of requests have, each field with its check and its default."""

from ledger_service.fields import (
    LIMIT,
    PAGE,
    REQUIRED,
    amount,
    amount_or_zero,
    boolean,
    code,
    cursor,
    entries,
    instant,
    name,
    one_of,
    optional,
    prefix,
    record_of,
    text,
    whole_number,
)
from ledger_service.proposals import STATES
from ledger_service.rounding import RAISES
from ledger_service.sides import SIDES

AT = {"at": (instant, REQUIRED)}
EFFECTIVE = {"effective": (instant, None)}
KNOWN = {"known": (instant, None)}
AS_OF = {**EFFECTIVE, **KNOWN}
MEMO = {"memo": (text, "")}
PART = {"amount": (optional(amount), None)}
TWO_ACCOUNTS = {"debit": (name, REQUIRED), "credit": (name, REQUIRED), "amount": (amount, REQUIRED)}
TWO_CURRENCIES = {"from": (code, REQUIRED), "to": (code, REQUIRED)}
SECONDS = (whole_number(1, 31536000), REQUIRED)

# Bodies, without what all of them have.

CURRENCY = {
    "currency": (code, REQUIRED),
    "digits": (whole_number(0, 12), REQUIRED),
    "rounding": (one_of(RAISES), REQUIRED),
}
RATE = {**TWO_CURRENCIES, "rate": (amount, REQUIRED), "since": (instant, None)}
ACCOUNT = {
    "account": (name, REQUIRED),
    "side": (one_of(SIDES), REQUIRED),
    "currency": (code, "EUR"),
    "overdraft": (optional(amount_or_zero), None),
}
TRANSACTION = {**EFFECTIVE, **MEMO, "entries": (entries, REQUIRED)}
CORRECTION = {
    "effective": (optional(instant), None),
    "memo": (optional(text), None),
    "entries": (entries, REQUIRED),
}
REVERSAL = {**EFFECTIVE, **PART, **MEMO}
EXCHANGE = {**EFFECTIVE, **MEMO, **TWO_ACCOUNTS, "of": (one_of(SIDES), REQUIRED)}
HOLD = {**MEMO, **TWO_ACCOUNTS, "expires": (instant, REQUIRED)}
CAPTURE = {**PART, **MEMO, "final": (boolean, False)}
CLOSING = {"until": (instant, REQUIRED)}
ACCOUNT_LIMIT = {
    "account": (name, REQUIRED),
    "limit": (optional(record_of({"amount": (amount_or_zero, REQUIRED), "window": SECONDS})), REQUIRED),
}
RULE = {
    "currency": (code, REQUIRED),
    "rule": (
        optional(
            record_of(
                {"above": (amount_or_zero, REQUIRED), "approvals": (whole_number(1, 5), REQUIRED), "valid": SECONDS}
            )
        ),
        REQUIRED,
    ),
}

# Queries.

FACTOR = {**TWO_CURRENCIES, **KNOWN, "at": (instant, None)}
STATEMENT = {"from": (instant, None), "to": (instant, None), **KNOWN, "cursor": (cursor, None), **LIMIT}
TRIAL = {"currency": (code, "EUR"), **AS_OF}
VALUATION = {"currency": (code, REQUIRED), "at": (instant, None), **KNOWN, "prefix": (prefix, "")}
PROPOSALS = {**PAGE, "state": (one_of(STATES), None)}
