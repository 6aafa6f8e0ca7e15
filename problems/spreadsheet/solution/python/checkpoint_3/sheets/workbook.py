"""The sheets with their cells, the names, and what comes out."""

from collections import namedtuple

from sheets.binding import BoundFormula, bind, bind_names
from sheets.contents import Formula
from sheets.evaluator import Evaluator
from sheets.graph import components
from sheets.renaming import on_sheet
from sheets.values import Error

FIRST_SHEET = "Sheet1"


class Sheet:
    """A sheet; its number is never used again, and grows in the order of the sheets."""

    def __init__(self, name, number):
        self.name = name
        self.number = number
        self.contents = {}


DefinedName = namedtuple("DefinedName", ["spelling", "formula"])


class Workbook:
    def __init__(self):
        self.sheets = {}
        self.next_number = 1
        self.names = {}
        self.results = {}
        self.bound_names = None
        self.bound_formulas = {}
        self.evaluator = Evaluator(self)
        self.active = self.add_sheet(FIRST_SHEET)

    # Sheets

    def sheet_named(self, name):
        """The sheet with this name, in whatever case, or None."""
        folded = name.casefold()
        return next((sheet for sheet in self.sheets.values() if sheet.name.casefold() == folded), None)

    def add_sheet(self, name):
        sheet = Sheet(name, self.next_number)
        self.sheets[sheet.number] = sheet
        self.next_number += 1
        self._respell({name.casefold(): name})
        return sheet

    def copy_sheet(self, sheet, name):
        self.add_sheet(name).contents.update(sheet.contents)

    def rename_sheet(self, sheet, name):
        old = sheet.name
        sheet.name = name
        self._respell({old.casefold(): name, name.casefold(): name})

    def delete_sheet(self, sheet):
        order = list(self.sheets)
        place = order.index(sheet.number)
        del self.sheets[sheet.number]
        if self.active is sheet:
            self.active = self.sheets[order[place - 1 if place else 1]]
        self._respell({sheet.name.casefold(): None})

    def _respell(self, spellings):
        for sheet in self.sheets.values():
            for place, content in sheet.contents.items():
                sheet.contents[place] = content.with_sheets(spellings)
        for folded, name in self.names.items():
            self.names[folded] = DefinedName(name.spelling, name.formula.with_sheets(spellings))
        self._forget_bindings()

    def spellings(self):
        """The names of all sheets by folded name."""
        return {sheet.name.casefold(): sheet.name for sheet in self.sheets.values()}

    # Names

    def define_name(self, spelling, formula):
        """Gives a name a formula, in which what is on no sheet is on the active one."""
        node = on_sheet(formula.node, self.active.name)
        self.names[spelling.casefold()] = DefinedName(spelling, Formula(node).with_sheets(self.spellings()))
        self._forget_bindings()

    def remove_name(self, name):
        del self.names[name.casefold()]
        self._forget_bindings()

    # Cells

    def put_all(self, changes):
        """Gives cells new contents; None makes one empty."""
        for cell, content in changes.items():
            sheet, *place = cell
            contents = self.sheets[sheet].contents
            if content is None:
                contents.pop(tuple(place), None)
            else:
                contents[tuple(place)] = content
            self.bound_formulas.pop(cell, None)
        self.results.clear()

    def content(self, cell):
        sheet, row, column = cell
        return self.sheets[sheet].contents.get((row, column))

    def filled(self, area):
        """The cells of an area that are not empty, row by row."""
        contents = self.sheets[area.sheet].contents
        if area.size <= len(contents):
            return [cell for cell in area.cells() if cell[1:] in contents]
        return sorted(cell for place in contents if (cell := (area.sheet, *place)) in area)

    # Values

    def value(self, cell):
        self._calculate([cell])
        return self.known_value(cell)

    def values(self, area):
        """The cells of an area that are not empty with their values, row by row."""
        cells = self.filled(area)
        self._calculate(cells)
        return [(cell, self.known_value(cell)) for cell in cells]

    def known_value(self, cell):
        """The value of a cell whose formula, if it has one, was calculated."""
        content = self.content(cell)
        if isinstance(content, Formula):
            return self.results[cell]
        return None if content is None else content.value

    def _forget_bindings(self):
        self.bound_names = None
        self.bound_formulas.clear()
        self.results.clear()

    def _bound(self, cell):
        formula = self.bound_formulas.get(cell)
        if formula is None:
            formula = self._bind(cell)
            self.bound_formulas[cell] = formula
        return formula

    def _bind(self, cell):
        numbers = {sheet.name.casefold(): sheet.number for sheet in self.sheets.values()}
        if self.bound_names is None:
            nodes = {folded: name.formula.node for folded, name in self.names.items()}
            self.bound_names = bind_names(nodes, numbers)
        return BoundFormula(bind(self.content(cell).node, cell[0], numbers, self.bound_names))

    def _is_unknown(self, cell):
        return cell not in self.results and isinstance(self.content(cell), Formula)

    def _unknown_precedents(self, cell):
        for area in self._bound(cell).areas:
            for precedent in self.filled(area):
                if self._is_unknown(precedent):
                    yield precedent

    def _calculate(self, cells):
        roots = [cell for cell in cells if self._is_unknown(cell)]
        for group in components(roots, self._unknown_precedents):
            formula = self._bound(group[0])
            if len(group) > 1 or formula.mentions(group[0]):
                self.results.update(dict.fromkeys(group, Error.CYCLE))
            else:
                self.results[group[0]] = self.evaluator.result(formula.node)
