"""The values of formulas, kept while cells, names and sheets change."""

from sheets.binding import BoundFormula, bind, bind_names, names_leading_to
from sheets.contents import Formula
from sheets.dependents import Dependents
from sheets.evaluator import Evaluator
from sheets.recalculation import Recalculation


class Calculator:
    """Nothing is evaluated before `recalculate`; until then, what was touched keeps its former value in `before`."""

    def __init__(self, workbook):
        self.workbook = workbook
        self.results = {}
        self.cyclic = set()
        self.dependents = Dependents()
        self.evaluator = Evaluator(self)
        self.before = {}
        self.changed_names = set()
        self.bound_formulas = {}
        self.bound_names = {}

    def touch(self, cell):
        """To be called before a cell's content or what its formula stands for changes."""
        self.before.setdefault(cell, self.known_value(cell))

    def touch_names(self, names):
        self.changed_names.update(names)

    def forget(self, cell):
        """The cell is gone with its sheet."""
        self._unbind(cell)
        self.before.pop(cell, None)

    def discard_touches(self):
        """All that was touched is again as it was."""
        self.before = {}
        self.changed_names = set()

    def is_formula(self, cell):
        return isinstance(self.workbook.content(cell), Formula)

    def known_value(self, cell):
        """The value as of now, which for a formula is what it was evaluated to last."""
        content = self.workbook.content(cell)
        if isinstance(content, Formula):
            return self.results.get(cell)
        return None if content is None else content.value

    def filled(self, area):
        return self.workbook.filled(area)

    def settled_value(self, cell):
        """The value as of the last recalculation."""
        return self.before[cell] if cell in self.before else self.known_value(cell)

    def settled_values(self, area):
        """The cells of an area that were not empty at the last recalculation with their values, row by row."""
        touched = {cell for cell in self.before if cell in area}
        cells = sorted(touched.union(self.filled(area)))
        pairs = [(cell, self.settled_value(cell)) for cell in cells]
        return [(cell, value) for cell, value in pairs if value is not None]

    def recalculate(self):
        """Evaluates what has to be; returns the evaluations in order."""
        if self.changed_names or self.before:
            self._rebind_names()
            touched, self.before = self.before, {}
            for cell in touched:
                self._rebind(cell)
            return Recalculation(self, touched).run()
        return []

    def _rebind_names(self):
        nodes = {folded: name.formula.node for folded, name in self.workbook.names.items()}
        self.bound_names = bind_names(nodes, self.workbook.sheet_numbers())
        changed, self.changed_names = self.changed_names, set()
        if changed:
            leading = names_leading_to(changed, nodes)
            for cell, formula in self.workbook.formulas():
                if formula.names & leading:
                    self.touch(cell)

    def _rebind(self, cell):
        self._unbind(cell)
        content = self.workbook.content(cell)
        if isinstance(content, Formula):
            node = bind(content.node, cell[0], self.workbook.sheet_numbers(), self.bound_names)
            self.bound_formulas[cell] = BoundFormula(node)
            self.dependents.add(cell, self.bound_formulas[cell].areas)

    def _unbind(self, cell):
        formula = self.bound_formulas.pop(cell, None)
        if formula is not None:
            self.dependents.remove(cell, formula.areas)
        if not self.is_formula(cell):
            self.results.pop(cell, None)
            self.cyclic.discard(cell)
