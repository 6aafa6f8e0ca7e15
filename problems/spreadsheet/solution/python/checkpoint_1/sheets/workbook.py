"""The cells, what they hold and what comes out."""

from collections import namedtuple

from sheets.evaluator import Evaluator
from sheets.graph import components
from sheets.nodes import Reference, walk
from sheets.parser import parse_formula
from sheets.printer import print_formula
from sheets.values import Error, parse_constant, show


class Constant(namedtuple("Constant", ["value"])):
    __slots__ = ()

    def source(self):
        return show(self.value)


class Formula(namedtuple("Formula", ["node", "precedents"])):
    __slots__ = ()

    def source(self):
        return "=" + print_formula(self.node)


def parse_content(text):
    """What a cell holds that is set to the text; raises FormulaError."""
    if not text.startswith("="):
        return Constant(parse_constant(text))
    node = parse_formula(text[1:])
    cells = dict.fromkeys(part.cell for part in walk(node) if isinstance(part, Reference))
    return Formula(node, tuple(cells))


class Workbook:
    def __init__(self):
        self.contents = {}
        self.results = {}
        self.evaluator = Evaluator(self._known_value)

    def put(self, cell, content):
        self.contents[cell] = content
        self.results.clear()

    def remove(self, cell):
        self.contents.pop(cell, None)
        self.results.clear()

    def source(self, cell):
        content = self.contents.get(cell)
        return None if content is None else content.source()

    def value(self, cell):
        self._calculate([cell])
        return self._known_value(cell)

    def values(self):
        """All cells that hold something with their values, row by row."""
        self._calculate(self.contents)
        return [(cell, self._known_value(cell)) for cell in sorted(self.contents)]

    def _known_value(self, cell):
        content = self.contents.get(cell)
        if isinstance(content, Formula):
            return self.results[cell]
        return None if content is None else content.value

    def _is_unknown(self, cell):
        return isinstance(self.contents.get(cell), Formula) and cell not in self.results

    def _unknown_precedents(self, cell):
        return [precedent for precedent in self.contents[cell].precedents if self._is_unknown(precedent)]

    def _calculate(self, cells):
        roots = [cell for cell in cells if self._is_unknown(cell)]
        for group in components(roots, self._unknown_precedents):
            formula = self.contents[group[0]]
            if len(group) > 1 or group[0] in formula.precedents:
                self.results.update(dict.fromkeys(group, Error.CYCLE))
            else:
                self.results[group[0]] = self.evaluator.result(formula.node)
