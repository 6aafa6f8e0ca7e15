"""What currencies are worth in each other, since when."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from ledger_service.currencies import Currency
from ledger_service.errors import NoRate
from ledger_service.instants import format_instant
from ledger_service.layers import Layers
from ledger_service.money import ATOMS, format_number

NONE = ()


@dataclass(frozen=True)
class Rate:
    id: int
    at: int
    source: Currency
    target: Currency
    value: int  # in atoms
    since: int

    def factor(self, source):
        """Return by what an amount in the source, one of its two currencies, is multiplied."""
        value = Fraction(self.value, ATOMS)
        return value if source == self.source else 1 / value

    def to_json(self):
        return {
            "id": self.id,
            "from": self.source.code,
            "to": self.target.code,
            "rate": format_number(self.value),
            "since": format_instant(self.since),
        }


@dataclass(frozen=True)
class Moment:
    """An instant, seen from when something was known; None stands for all that is known."""

    at: int
    known: Optional[int]


@dataclass(frozen=True)
class Way:
    """How to get from one currency to another."""

    factor: Fraction
    rates: tuple

    def convert(self, units, source, target):
        """Return the exact number of the target's smallest units."""
        return Fraction(units, source.scale) * self.factor * target.scale


class Rates:
    """All rates, in the order in which they were recorded."""

    def __init__(self):
        self.recorded = []
        # For two currencies, the instants since which their rates are in force, and their ids.
        self.between = defaultdict(Layers)

    def add(self, at, source, target, value, since):
        rate = Rate(len(self.recorded) + 1, at, source, target, value, since)
        self.recorded.append(rate)
        self.between[frozenset((source, target))].append(at, (since, rate.id))
        return rate

    def in_force(self, one, other, moment):
        """Return the rate between two currencies at a moment, or None."""
        layers = self.between[frozenset((one, other))].until(moment.known)
        last = max(layer.last_before((moment.at + 1,), default=NONE) for layer in layers)
        return None if last is NONE else self.recorded[last[1] - 1]

    def way(self, source, target, moment, currencies):
        """Return the way between two currencies at a moment, over a third one if need be."""
        if source == target:
            return Way(Fraction(1), ())
        direct = self.in_force(source, target, moment)
        if direct:
            return Way(direct.factor(source), (direct,))
        for third in sorted(currencies, key=lambda currency: currency.code):
            first, second = self.in_force(source, third, moment), self.in_force(third, target, moment)
            if first and second:
                return Way(first.factor(source) * second.factor(third), (first, second))
        raise NoRate
