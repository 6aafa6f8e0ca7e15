"""What a cell can hold: a constant or a formula."""

from collections import namedtuple

from sheets.copying import shifted
from sheets.nodes import Range, Reference, walk
from sheets.parser import parse_formula
from sheets.printer import print_formula
from sheets.values import parse_constant, show


class Constant(namedtuple("Constant", ["value"])):
    __slots__ = ()

    def source(self):
        return show(self.value)

    def shifted(self, _rows, _columns):
        return self


class Formula:
    def __init__(self, node):
        self.node = node
        areas = [part.area for part in walk(node) if isinstance(part, (Reference, Range))]
        self.areas = list(dict.fromkeys(areas))

    def source(self):
        return "=" + print_formula(self.node)

    def shifted(self, rows, columns):
        return Formula(shifted(self.node, rows, columns))

    def mentions(self, cell):
        return any(cell in area for area in self.areas)


def parse_content(text):
    """What a cell holds that is set to the text; raises FormulaError."""
    if text.startswith("="):
        return Formula(parse_formula(text[1:]))
    return Constant(parse_constant(text))
