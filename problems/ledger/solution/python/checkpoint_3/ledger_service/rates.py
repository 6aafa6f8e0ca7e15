"""What currencies are worth in each other, since when."""

from bisect import bisect_left, insort
from dataclasses import dataclass
from fractions import Fraction

from ledger_service.currencies import Currency
from ledger_service.errors import NoRate
from ledger_service.instants import format_instant
from ledger_service.money import ATOMS, format_number


@dataclass(frozen=True)
class Rate:
    id: int
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
        self.between = {}  # for two currencies, the instants since which their rates are in force, and their ids

    def add(self, source, target, value, since):
        rate = Rate(len(self.recorded) + 1, source, target, value, since)
        self.recorded.append(rate)
        insort(self.between.setdefault(frozenset((source, target)), []), (since, rate.id))
        return rate

    def in_force(self, one, other, at):
        """Return the rate between two currencies at an instant, or None."""
        rates = self.between.get(frozenset((one, other)), [])
        place = bisect_left(rates, (at + 1,))
        return self.recorded[rates[place - 1][1] - 1] if place else None

    def way(self, source, target, at, currencies):
        """Return the way between two currencies at an instant, over a third one if need be."""
        if source == target:
            return Way(Fraction(1), ())
        direct = self.in_force(source, target, at)
        if direct:
            return Way(direct.factor(source), (direct,))
        for third in sorted(currencies, key=lambda currency: currency.code):
            first, second = self.in_force(source, third, at), self.in_force(third, target, at)
            if first and second:
                return Way(first.factor(source) * second.factor(third), (first, second))
        raise NoRate
