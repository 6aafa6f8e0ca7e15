"""Transactions, as they were posted and as they were corrected."""

from dataclasses import dataclass, field
from typing import List, Optional

from ledger_service.accounts import Line
from ledger_service.entries import Entry, total
from ledger_service.errors import AlreadyReversed, IsReversal, NotCorrectable
from ledger_service.holds import Hold
from ledger_service.instants import format_instant
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

    def outflow(self, account, now):
        """Return by how much it lowers an account, unless that was counted before or undoes something."""
        if self.hold or self.reverses:
            return 0
        return max(0, -sum(entry.effect() for entry in self.last.entries if entry.account is account))

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
