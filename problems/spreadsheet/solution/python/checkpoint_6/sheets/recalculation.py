"""One recalculation: which formulas are evaluated, and in what order."""

from collections import namedtuple

from sheets.graph import groups_in_order
from sheets.values import Error, is_same


Evaluation = namedtuple("Evaluation", ["cell", "old", "new"])


class Recalculation:
    def __init__(self, calculator, touched):
        """`touched` holds the former values of all cells that were touched."""
        self.calculator = calculator
        self.touched = touched
        self.stale = set()
        self.evaluations = []

    def run(self):
        users = {}
        for cell, old in self.touched.items():
            if self.calculator.is_formula(cell):
                self.stale.add(self.calculator.anchor(cell))
                continue
            users[cell] = self.calculator.dependents.of(cell)
            if not is_same(old, self.calculator.known_value(cell)):
                self.stale.update(users[cell])
        self.affected = self._affected(self.stale.union(*users.values()))
        for group in groups_in_order(self.affected):
            self._take(group)
        return self.evaluations

    def _affected(self, first):
        """All formulas that may have to be evaluated, by their first cells, each with those that mention it: what `first` leads to."""
        found = {}
        waiting = list(first)
        while waiting:
            cell = waiting.pop()
            if cell not in found:
                found[cell] = self._dependents(cell)
                waiting.extend(found[cell])
        return found

    def _dependents(self, anchor):
        """The formulas that mention any cell of a formula, by their first cells."""
        unit = self.calculator.unit(anchor)
        return list(dict.fromkeys(user for cell in unit for user in self.calculator.dependents.of(cell)))

    def _take(self, group):
        first = group[0]
        if len(group) > 1 or first in self.affected[first]:
            self.calculator.cyclic.update(group)
            for cell in sorted(cell for anchor in group for cell in self.calculator.unit(anchor)):
                self._enter_cycle(cell)
        elif first in self.stale or first in self.calculator.cyclic:
            self.calculator.cyclic.discard(first)
            for cell, value in zip(self.calculator.unit(first), self.calculator.evaluate(first)):
                self._settle(cell, value)

    def _enter_cycle(self, cell):
        if cell in self.touched or self._old(cell) is not Error.CYCLE:
            self._settle(cell, Error.CYCLE)

    def _settle(self, cell, value):
        old = self._old(cell)
        self.calculator.results[cell] = value
        self.evaluations.append(Evaluation(cell, old, value))
        if not is_same(old, value):
            self.stale.update(self.calculator.dependents.of(cell))

    def _old(self, cell):
        return self.touched[cell] if cell in self.touched else self.calculator.results[cell]
