"""The cells, what they hold and what comes out."""

from sheets.cells import WHOLE_SHEET
from sheets.contents import Formula
from sheets.evaluator import Evaluator
from sheets.graph import components
from sheets.values import Error


class Workbook:
    def __init__(self):
        self.contents = {}
        self.results = {}
        self.evaluator = Evaluator(self)

    def put_all(self, changes):
        """Gives cells new contents; None makes one empty."""
        for cell, content in changes.items():
            if content is None:
                self.contents.pop(cell, None)
            else:
                self.contents[cell] = content
        self.results.clear()

    def content(self, cell):
        return self.contents.get(cell)

    def filled(self, area):
        """The cells of an area that are not empty, row by row."""
        if area.size <= len(self.contents):
            return [cell for cell in area.cells() if cell in self.contents]
        return sorted(cell for cell in self.contents if cell in area)

    def value(self, cell):
        self._calculate([cell])
        return self.known_value(cell)

    def values(self, area=WHOLE_SHEET):
        """The cells of an area that are not empty with their values, row by row."""
        cells = self.filled(area)
        self._calculate(cells)
        return [(cell, self.known_value(cell)) for cell in cells]

    def known_value(self, cell):
        """The value of a cell whose formula, if it has one, was calculated."""
        content = self.contents.get(cell)
        if isinstance(content, Formula):
            return self.results[cell]
        return None if content is None else content.value

    def _is_unknown(self, cell):
        return isinstance(self.contents.get(cell), Formula) and cell not in self.results

    def _unknown_precedents(self, cell):
        for area in self.contents[cell].areas:
            for precedent in self.filled(area):
                if self._is_unknown(precedent):
                    yield precedent

    def _calculate(self, cells):
        roots = [cell for cell in cells if self._is_unknown(cell)]
        for group in components(roots, self._unknown_precedents):
            formula = self.contents[group[0]]
            if len(group) > 1 or formula.mentions(group[0]):
                self.results.update(dict.fromkeys(group, Error.CYCLE))
            else:
                self.results[group[0]] = self.evaluator.result(formula.node)
