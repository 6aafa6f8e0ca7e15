"""Arrays of values as they occur within array formulas."""

from sheets.numbers import ZERO
from sheets.values import Error

MAX_SIZE = 100_000


class Matrix:
    def __init__(self, rows):
        """`rows` are lists of the same length; there is at least one value."""
        self.rows = rows

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    def at(self, row, column):
        """The value in a row and a column, from 0; a single row or column repeats, beyond others nothing is available."""
        height, width = self.shape
        row = 0 if height == 1 else row
        column = 0 if width == 1 else column
        return self.rows[row][column] if row < height and column < width else Error.NA

    def values(self):
        return [value for row in self.rows for value in row]

    def filled_values(self):
        return [value for value in self.values() if value is not None]


def matrix_of(value):
    return value if isinstance(value, Matrix) else Matrix([[value]])


def made(height, width, value_at):
    """The matrix with `value_at(row, column)` in each place, or an error if it is too large."""
    if height * width > MAX_SIZE:
        return Error.NUM
    return Matrix([[value_at(row, column) for column in range(width)] for row in range(height)])


def lift(apply, operands):
    """Applies a function of single values to all values that stand in the same place."""
    matrices = [operand for operand in operands if isinstance(operand, Matrix)]
    if not matrices:
        return apply(*operands)
    height = max(matrix.shape[0] for matrix in matrices)
    width = max(matrix.shape[1] for matrix in matrices)

    def value_at(row, column):
        return apply(*(each.at(row, column) if isinstance(each, Matrix) else each for each in operands))

    return made(height, width, value_at)


def spread(value, height, width):
    """The values for the cells of an array formula, row by row; none is empty."""
    matrix = matrix_of(value)
    cells = ((row, column) for row in range(height) for column in range(width))
    values = (matrix.at(row, column) for row, column in cells)
    return [ZERO if value is None else value for value in values]
