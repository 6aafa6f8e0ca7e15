"""Transactions, as they were posted and as they were corrected."""

from collections import Counter
from dataclasses import dataclass, field
from typing import List, Optional

from ledger_service.accounts import Line
from ledger_service.entries import Entry, total
from ledger_service.errors import AlreadyReversed, IsReversal, NotCorrectable
from ledger_service.holds import Hold
from ledger_service.instants import format_instant
from ledger_service.limits import outflows
from ledger_service.rates import Rate
from ledger_service.sides import DEBIT


@dataclass
class Version:
    record: int
    at: int
    effective: int
    memo: str
    entries: List[Entry]
    lines: List[Line] = field(default_factory=list)

    @property
    def currency(self):
        """What its amounts are counted in."""
        return self.entries[0].currency

    def effects(self):
        """Return by how much it raises each account's balance."""
        changes = Counter()
        for entry in self.entries:
            changes[entry.account] += entry.effect()
        return changes

    def is_mixed(self):
        return any(entry.currency != self.currency for entry in self.entries)

    def amount(self):
        return total(self.entries, DEBIT, self.currency)


@dataclass
class Reversal:
    record: int
    amount: int


@dataclass(eq=False)
class Transaction:
    id: int
    versions: List[Version]
    hold: Optional[Hold] = None
    reverses: Optional[int] = None
    rates: List[Rate] = field(default_factory=list)
    reversals: List[Reversal] = field(default_factory=list)
    left: List[int] = field(default_factory=list)  # of each entry, by reversals

    @property
    def last(self):
        return self.versions[-1]

    @property
    def at(self):
        return self.versions[0].at

    def count_outflow(self, times):
        """Let accounts know what leaves them by it, unless that was counted before or undoes something."""
        if not self.hold and not self.reverses:
            for account, amount in outflows(self.last.effects()).items():
                account.outflows.add(self.at, times * amount)

    def add_version(self, version):
        self.versions.append(version)
        self.left = [entry.amount for entry in version.entries]

    def amount_left(self):
        return self.last.amount() - sum(reversal.amount for reversal in self.reversals)

    def require_reversible(self):
        if self.reverses:
            raise IsReversal
        if not self.amount_left():
            raise AlreadyReversed

    def require_correctable(self):
        if self.hold or self.reverses or self.rates or self.reversals:
            raise NotCorrectable

    def known_versions(self, records):
        return [version for version in self.versions if version.record <= records]

    def to_json(self, records):
        """Show what was known with so many records, which are enough for one version at least."""
        versions = self.known_versions(records)
        shown = versions[-1]
        value = {
            "id": self.id,
            "at": format_instant(self.at),
            "memo": shown.memo,
            "entries": [entry.to_json() for entry in shown.entries],
        }
        if shown.effective != self.at:
            value["effective"] = format_instant(shown.effective)
        if len(versions) > 1:
            value["version"] = len(versions)
            value["corrected"] = format_instant(shown.at)
        reversed_amount = sum(reversal.amount for reversal in self.reversals if reversal.record <= records)
        if reversed_amount:
            value["reversed"] = shown.currency.format(reversed_amount)
        return {**value, **self.origin()}

    def origin(self):
        """Show what else than entries it was made from."""
        value = {}
        if self.hold:
            value["hold"] = self.hold.id
        if self.reverses:
            value["reverses"] = self.reverses
        if self.rates:
            value["rates"] = [rate.id for rate in self.rates]
        return value
