"""Which transactions need approval."""

from dataclasses import dataclass

from ledger_service.entries import total
from ledger_service.sides import DEBIT


@dataclass(frozen=True)
class Rule:
    above: int
    approvals: int
    valid: int  # in seconds

    def to_json(self, currency):
        return {"above": currency.format(self.above), "approvals": self.approvals, "valid": self.valid}


def rules_that_apply(rules, entries):
    """Return the rules, by currency, above whose amounts the entries are."""
    return [rule for currency, rule in rules.items() if total(entries, DEBIT, currency) > rule.above]
