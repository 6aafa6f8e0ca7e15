"""The values of a range as functions see them."""


class Grid:
    def __init__(self, area, source):
        """`source` is whoever knows values by cell and which cells of an area are filled."""
        self.area = area
        self.source = source

    def __len__(self):
        return self.area.size

    @property
    def shape(self):
        return self.area.rows, self.area.columns

    def first_column(self):
        return Grid(self.area._replace(right=self.area.left), self.source)

    def at(self, row, column):
        """The value in a row and a column of the range, both counted from 1."""
        return self.source.known_value((self.area.sheet, self.area.top + row - 1, self.area.left + column - 1))

    def filled(self):
        """Pairs of the place and the value of every cell that is not empty, row by row."""
        for cell in self.source.filled(self.area):
            _, row, column = cell
            place = row - self.area.top + 1, column - self.area.left + 1
            yield place, self.source.known_value(cell)

    def values(self):
        return [value for _, value in self.filled()]
