"""Several requests that are carried out together or not at all."""

from ledger_service.errors import BadRequest, NeedsApproval, Refusal, UnknownHold
from ledger_service.exchanges import plan_exchange
from ledger_service.fields import MOST_ITEMS, REQUIRED, default_to_at, distinct, pick_all, whole_number
from ledger_service.holding import capture, make_hold
from ledger_service.posting import plan_transaction
from ledger_service.rules import rules_that_apply
from ledger_service.schemas import CAPTURE, EXCHANGE, HOLD, TRANSACTION


def post_item(book, at, **fields):
    return carry_out(book, at, plan_transaction(book, at, **fields))


def exchange_item(book, at, **fields):
    return carry_out(book, at, plan_exchange(book, at, **fields))


def carry_out(book, at, plan):
    if rules_that_apply(book.rules, plan.entries):
        raise NeedsApproval
    return plan.carry_out(book, at).to_json(book.known_records(None))


def hold_item(book, at, **fields):
    return make_hold(book, at, **fields).to_json(at)


def capture_item(book, at, hold, **fields):
    if hold > len(book.holds):
        raise UnknownHold
    return capture(book, book.hold(hold), at, **fields).to_json(book.known_records(None))


# For each kind of item, its fields, what is required of them together, and what it does.
KINDS = {
    "transaction": (TRANSACTION, default_to_at("effective"), post_item),
    "exchange": (EXCHANGE, default_to_at("effective"), exchange_item),
    "hold": (HOLD, distinct("debit", "credit"), hold_item),
    "capture": ({**CAPTURE, "hold": (whole_number(1, 10**18 - 1), REQUIRED)}, None, capture_item),
}


def items(value):
    """Accept items, each of which becomes its kind and its fields."""
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_ITEMS:
        raise BadRequest
    return [item(part) for part in value]


def item(value):
    if not isinstance(value, dict) or len(value) != 1 or not value.keys() <= KINDS.keys():
        raise BadRequest
    [(kind, fields)] = value.items()
    return kind, pick_all(fields, KINDS[kind][0])


def complete_items(fields):
    """Check each item, whose fields stand beside the batch's `at`."""
    for kind, parts in fields["items"]:
        parts["at"] = fields["at"]
        check = KINDS[kind][1]
        if check:
            check(parts)


def carry_out_batch(book, items):
    """Return what each item is answered."""
    results = []
    with book.all_or_nothing():
        for index, (kind, fields) in enumerate(items):
            try:
                results.append(KINDS[kind][2](book, **fields))
            except Refusal as refusal:
                refusal.details["index"] = index
                raise
    return results
