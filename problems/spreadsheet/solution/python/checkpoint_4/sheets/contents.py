"""What a cell can hold: a constant or a formula."""

from collections import namedtuple
from functools import cached_property

from sheets.copying import shifted
from sheets.nodes import mentioned_names, mentioned_sheets
from sheets.parser import parse_formula
from sheets.printer import print_formula
from sheets.renaming import with_sheets
from sheets.values import parse_constant, show


class Constant(namedtuple("Constant", ["value"])):
    __slots__ = ()

    def source(self):
        return show(self.value)

    def shifted(self, _rows, _columns):
        return self

    def with_sheets(self, _spellings):
        return self


class Formula:
    def __init__(self, node):
        self.node = node

    @cached_property
    def names(self):
        return mentioned_names(self.node)

    @cached_property
    def sheets(self):
        return mentioned_sheets(self.node)

    def source(self):
        return "=" + print_formula(self.node)

    def shifted(self, rows, columns):
        return Formula(shifted(self.node, rows, columns))

    def with_sheets(self, spellings):
        return Formula(with_sheets(self.node, spellings))


def parse_content(text):
    """What a cell holds that is set to the text; raises FormulaError."""
    if text.startswith("="):
        return Formula(parse_formula(text[1:]))
    return Constant(parse_constant(text))
