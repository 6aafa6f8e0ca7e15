"""Which formulas mention a cell."""

from collections import defaultdict

from sheets.cells import Area

BLOCK_ROWS = 32
MAX_BLOCKS = 64


class Dependents:
    """Areas are found by the blocks of cells that they touch; those that touch many, by looking at each."""

    def __init__(self):
        self.users = defaultdict(set)
        self.areas_by_block = defaultdict(set)
        self.wide_areas = defaultdict(set)

    def add(self, cell, areas):
        for area in areas:
            if area not in self.users:
                for found in self._places(area):
                    found.add(area)
            self.users[area].add(cell)

    def remove(self, cell, areas):
        for area in areas:
            self.users[area].discard(cell)
            if not self.users[area]:
                del self.users[area]
                for found in self._places(area):
                    found.discard(area)

    def of(self, cell):
        """The cells whose formulas mention this one, each once."""
        sheet, row, column = cell
        areas = self.areas_by_block.get((sheet, row // BLOCK_ROWS, column), ())
        found = dict.fromkeys(self.users.get(Area(sheet, row, column, row, column), ()))
        for candidates in (areas, self.wide_areas.get(sheet, ())):
            for area in candidates:
                if cell in area:
                    found.update(dict.fromkeys(self.users[area]))
        return list(found)

    def _places(self, area):
        """The sets of areas among which this one is to be found; one of a single cell needs none."""
        if area.size == 1:
            return []
        blocks = range(area.top // BLOCK_ROWS, area.bottom // BLOCK_ROWS + 1)
        if len(blocks) * area.columns > MAX_BLOCKS:
            return [self.wide_areas[area.sheet]]
        columns = range(area.left, area.right + 1)
        return [self.areas_by_block[area.sheet, block, column] for block in blocks for column in columns]
