"""What a cell can hold: a constant or a formula."""

from collections import namedtuple
from functools import cached_property

from sheets.cells import Area
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

    def with_node(self, node):
        return Formula(node)


class Member(namedtuple("Member", ["formula", "rows", "columns", "row", "column"])):
    """A cell's part in an array formula of so many rows and columns: its place among them, from 0."""

    __slots__ = ()

    @property
    def node(self):
        return self.formula.node

    @property
    def names(self):
        return self.formula.names

    @property
    def sheets(self):
        return self.formula.sheets

    def area(self, cell):
        """The whole array's area, when this is the content of a cell."""
        sheet, row, column = cell
        top, left = row - self.row, column - self.column
        return Area(sheet, top, left, top + self.rows - 1, left + self.columns - 1)

    def source(self):
        return "{" + self.formula.source() + "}"

    def shifted(self, rows, columns):
        return self._replace(formula=self.formula.shifted(rows, columns))

    def with_sheets(self, spellings):
        return self._replace(formula=self.formula.with_sheets(spellings))

    def with_node(self, node):
        return self._replace(formula=Formula(node))


def is_calculated(content):
    return isinstance(content, (Formula, Member))


def array_contents(area, formula):
    """What the cells of an array formula hold."""
    return {
        (sheet, row, column): Member(formula, area.rows, area.columns, row - area.top, column - area.left)
        for sheet, row, column in area.cells()
    }


def parse_content(text):
    """What a cell holds that is set to the text; raises FormulaError."""
    if text.startswith("="):
        return Formula(parse_formula(text[1:]))
    return Constant(parse_constant(text))
