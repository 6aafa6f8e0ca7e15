"""Named sets of changes that can be tried without making them."""

from sheets.contents import Formula


class Scenario:
    def __init__(self, spelling):
        self.spelling = spelling
        self.changes = {}

    def with_sheets(self, spellings):
        """Names sheets in its formulas anew."""
        for cell, content in self.changes.items():
            self.changes[cell] = content and content.with_sheets(spellings)

    def without_sheet(self, number):
        self.changes = {cell: content for cell, content in self.changes.items() if cell[0] != number}

    def reshape(self, reshaping, sheet_names):
        """Moves its changes and references with rows and columns; `sheet_names` are by number."""
        moved = {}
        for cell, content in self.changes.items():
            target = reshaping.cell(cell)
            if target is not None:
                moved[target] = reshaped(content, reshaping, sheet_names[cell[0]])
        self.changes = moved


def reshaped(content, reshaping, home):
    if not isinstance(content, Formula):
        return content
    node, _ = reshaping.node(content.node, home)
    return Formula(node)
