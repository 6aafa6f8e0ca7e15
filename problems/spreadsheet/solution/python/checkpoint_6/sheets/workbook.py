"""The sheets with their cells, and the names."""

from collections import namedtuple

from sheets.calculator import Calculator
from sheets.contents import Formula, Member, array_contents, is_calculated
from sheets.renaming import on_sheet
from sheets.scenarios import Scenario

FIRST_SHEET = "Sheet1"


class Sheet:
    """A sheet; its number is never used again, and grows in the order of the sheets."""

    def __init__(self, name, number):
        self.name = name
        self.number = number
        self.contents = {}


DefinedName = namedtuple("DefinedName", ["spelling", "formula"])


class Batch:
    """What is put back when a batch is aborted."""

    def __init__(self, names):
        self.names = names
        self.contents = {}


class Workbook:
    def __init__(self):
        self.sheets = {}
        self.next_number = 1
        self.names = {}
        self.batch = None
        self.scenarios = {}
        self.calculator = Calculator(self)
        self.active = self.add_sheet(FIRST_SHEET)

    # Sheets

    def sheet_named(self, name):
        """The sheet with this name, in whatever case, or None."""
        folded = name.casefold()
        return next((sheet for sheet in self.sheets.values() if sheet.name.casefold() == folded), None)

    def sheet_numbers(self):
        return {sheet.name.casefold(): sheet.number for sheet in self.sheets.values()}

    def spellings(self):
        """The names of all sheets by folded name."""
        return {sheet.name.casefold(): sheet.name for sheet in self.sheets.values()}

    def add_sheet(self, name):
        sheet = Sheet(name, self.next_number)
        self.sheets[sheet.number] = sheet
        self.next_number += 1
        self._touch_mentions(name)
        self._respell({name.casefold(): name})
        return sheet

    def copy_sheet(self, sheet, name):
        copy = self.add_sheet(name)
        self.put_all({(copy.number, *place): content for place, content in sheet.contents.items()})

    def rename_sheet(self, sheet, name):
        old = sheet.name
        if name.casefold() != old.casefold():
            self._touch_mentions(name)
        sheet.name = name
        self._respell({old.casefold(): name, name.casefold(): name})

    def delete_sheet(self, sheet):
        self.recalculate()
        order = list(self.sheets)
        place = order.index(sheet.number)
        if self.active is sheet:
            self.active = self.sheets[order[place - 1 if place else 1]]
        self._touch_mentions(sheet.name)
        cells = [(sheet.number, *place) for place in sheet.contents]
        sheet.contents.clear()
        for cell in cells:
            self.calculator.forget(cell)
        for scenario in self.scenarios.values():
            scenario.without_sheet(sheet.number)
        del self.sheets[sheet.number]
        self._respell({sheet.name.casefold(): None})

    def _touch_mentions(self, sheet_name):
        folded = sheet_name.casefold()
        for cell, formula in self.formulas():
            if folded in formula.sheets:
                self.calculator.touch(cell)
        self.calculator.touch_names(name for name, defined in self.names.items() if folded in defined.formula.sheets)

    def _respell(self, spellings):
        for (sheet, *place), formula in self.formulas():
            if not formula.sheets.isdisjoint(spellings):
                self.sheets[sheet].contents[tuple(place)] = formula.with_sheets(spellings)
        for folded, name in self.names.items():
            self.names[folded] = DefinedName(name.spelling, name.formula.with_sheets(spellings))
        for scenario in self.scenarios.values():
            scenario.with_sheets(spellings)

    def reshape(self, reshaping):
        """Inserts or deletes rows or columns of a sheet."""
        self.recalculate()
        sheet_names = {sheet.number: sheet.name for sheet in self.sheets.values()}
        disturbed = self._reshape_formulas(reshaping, sheet_names)
        sheet = reshaping.sheet
        moved = {reshaping.place(place): content for place, content in sheet.contents.items()}
        moved.pop(None, None)
        sheet.contents = moved
        for scenario in self.scenarios.values():
            scenario.reshape(reshaping, sheet_names)
        self.calculator.touch_names(self._reshape_names(reshaping))
        self.calculator.reshape(reshaping.cell)
        for cell in map(reshaping.cell, disturbed):
            if cell is not None:
                self.calculator.touch(cell)

    def _reshape_formulas(self, reshaping, sheet_names):
        """Rewrites all formulas; returns the cells, before they move, of those with disturbed references."""
        disturbed = []
        for cell, formula in self.formulas():
            node, is_disturbed = reshaping.node(formula.node, sheet_names[cell[0]])
            self._put(cell, formula.with_node(node))
            if is_disturbed:
                disturbed.append(cell)
        return disturbed

    def _reshape_names(self, reshaping):
        """Rewrites the formulas of names; returns the folded names of those with disturbed references."""
        disturbed = []
        for folded, name in self.names.items():
            node, is_disturbed = reshaping.node(name.formula.node, None)
            self.names[folded] = DefinedName(name.spelling, Formula(node))
            if is_disturbed:
                disturbed.append(folded)
        return disturbed

    # Names

    def define_name(self, spelling, formula):
        """Gives a name a formula, in which what is on no sheet is on the active one."""
        node = on_sheet(formula.node, self.active.name)
        self.names[spelling.casefold()] = DefinedName(spelling, Formula(node).with_sheets(self.spellings()))
        self.calculator.touch_names([spelling.casefold()])

    def remove_name(self, name):
        del self.names[name.casefold()]
        self.calculator.touch_names([name.casefold()])

    # Cells

    def put_all(self, changes):
        """Gives cells new contents; None makes one empty."""
        for cell, content in changes.items():
            if content is None and self.content(cell) is None:
                continue
            self.calculator.touch(cell)
            if self.batch is not None:
                self.batch.contents.setdefault(cell, self.content(cell))
            self._put(cell, content)

    def put_array(self, area, formula):
        """Gives all cells of an area one formula together."""
        self.put_all(array_contents(area, formula))

    def splits_array(self, cells):
        """Whether some of an array formula's cells are among these, but not all."""
        chosen = set(cells)
        members = ((cell, self.content(cell)) for cell in chosen)
        areas = {content.area(cell) for cell, content in members if isinstance(content, Member)}
        return any(cell not in chosen for area in areas for cell in area.cells())

    def arrays(self, sheet):
        """The areas of a sheet's array formulas."""
        contents = (((sheet.number, *place), content) for place, content in sheet.contents.items())
        return {content.area(cell) for cell, content in contents if isinstance(content, Member)}

    def _put(self, cell, content):
        sheet, *place = cell
        contents = self.sheets[sheet].contents
        if content is None:
            contents.pop(tuple(place), None)
        else:
            contents[tuple(place)] = content

    def content(self, cell):
        sheet, row, column = cell
        return self.sheets[sheet].contents.get((row, column))

    def formulas(self):
        """All cells with formulas, with these."""
        return [
            ((sheet.number, *place), content)
            for sheet in self.sheets.values()
            for place, content in sheet.contents.items()
            if is_calculated(content)
        ]

    def filled(self, area):
        """The cells of an area that are not empty, row by row."""
        contents = self.sheets[area.sheet].contents
        if area.size <= len(contents):
            return [cell for cell in area.cells() if cell[1:] in contents]
        return sorted(cell for place in contents if (cell := (area.sheet, *place)) in area)

    # Values

    def recalculate(self):
        """Brings values up to date, unless a batch is open; returns the evaluations in order."""
        return [] if self.batch else self.calculator.recalculate()

    def value(self, cell):
        self.recalculate()
        return self.calculator.settled_value(cell)

    def values(self, area):
        """The cells of an area that are not empty with their values, row by row."""
        self.recalculate()
        return self.calculator.settled_values(area)

    # Scenarios

    def scenario(self, spelling):
        """The scenario of this name, new if there was none."""
        return self.scenarios.setdefault(spelling.casefold(), Scenario(spelling))

    def try_out(self, scenario, cell=None):
        """The evaluations that a scenario's changes would bring, and the value that a cell would have."""
        self.recalculate()
        contents = {changed: self.content(changed) for changed in scenario.changes}
        self.put_all(scenario.changes)
        evaluations = self.calculator.recalculate()
        value = cell and self.calculator.known_value(cell)
        self.put_all(contents)
        self.calculator.recalculate()
        return evaluations, value

    # Batches

    def begin(self):
        self.recalculate()
        self.batch = Batch(dict(self.names))

    def commit(self):
        self.batch = None

    def abort(self):
        batch, self.batch = self.batch, None
        self.names = batch.names
        for cell, content in batch.contents.items():
            self._put(cell, content)
        self.calculator.discard_touches()
