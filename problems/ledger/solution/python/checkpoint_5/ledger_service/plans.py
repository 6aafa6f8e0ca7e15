"""Transactions that are found to be in order, and not yet posted."""

from dataclasses import dataclass
from typing import List

from ledger_service.entries import Entry
from ledger_service.funds import Impact
from ledger_service.limits import outflows, require_limits
from ledger_service.rates import Rate


@dataclass(frozen=True)
class Plan:
    effective: int
    memo: str
    entries: List[Entry]
    rates: List[Rate] = ()

    def leaving(self):
        """Return what its entries together take from accounts."""
        return outflows(self.impact().available)

    def impact(self):
        impact = Impact()
        impact.post(self.entries, self.effective)
        return impact

    def require(self, at):
        """Refuse it if it cannot be carried out."""
        self.impact().require_funds(at)
        require_limits(at, self.leaving())

    def carry_out(self, book, at):
        return book.record(at, self.effective, self.memo, self.entries, rates=self.rates)
