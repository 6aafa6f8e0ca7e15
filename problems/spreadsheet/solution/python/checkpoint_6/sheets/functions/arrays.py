"""Functions that take and give arrays."""

from decimal import Decimal

from sheets import numbers
from sheets.functions.base import ArrayFunction, Kind, whole
from sheets.matrices import Matrix, made
from sheets.operators import sort_key
from sheets.values import Error, settled, severest, to_boolean


def transpose(matrix):
    return Matrix([list(column) for column in zip(*matrix.rows)])


def multiply(left, right):
    error = severest(left.values() + right.values())
    if error is not None:
        return error
    if left.shape[1] != right.shape[0] or not all(isinstance(each, Decimal) for each in left.values() + right.values()):
        return Error.VALUE
    columns = list(zip(*right.rows))
    return made(len(left.rows), len(columns), lambda row, column: scalar_product(left.rows[row], columns[column]))


def scalar_product(row, column):
    return settled(numbers.exact_sum(numbers.EXACT.multiply(one, other) for one, other in zip(row, column)))


def sequence(count, columns=numbers.ONE):
    height, width = whole(count, 1), whole(columns, 1)
    if height is None or width is None:
        return Error.VALUE
    return made(height, width, lambda row, column: Decimal(row * width + column + 1))


def keep(matrix, conditions):
    """The rows, or the columns, where the conditions hold."""
    height, width = matrix.shape
    if conditions.shape == (height, 1):
        return kept_rows(matrix, conditions)
    if conditions.shape == (1, width):
        kept = kept_rows(transpose(matrix), conditions)
        return kept if isinstance(kept, Error) else transpose(kept)
    return Error.VALUE


def kept_rows(matrix, conditions):
    error = severest(conditions.values())
    holds = [to_boolean(value) for value in conditions.values()]
    error = error or severest(holds)
    rows = [row for row, is_kept in zip(matrix.rows, holds) if is_kept]
    return error or (Matrix(rows) if rows else Error.NA)


def sort(matrix, column=numbers.ONE, direction=numbers.ONE):
    place = whole(column, 1)
    if place is None or place > matrix.shape[1] or direction not in (1, -1):
        return Error.VALUE
    keyed = [row for row in matrix.rows if has_key(row[place - 1])]
    others = [row for row in matrix.rows if not has_key(row[place - 1])]
    keyed.sort(key=lambda row: sort_key(row[place - 1]), reverse=direction < 0)
    return Matrix(keyed + others)


def has_key(value):
    return value is not None and not isinstance(value, Error)


FUNCTIONS = {
    "TRANSPOSE": ArrayFunction((Kind.MATRIX,), range(1, 2), transpose),
    "MMULT": ArrayFunction((Kind.MATRIX, Kind.MATRIX), range(2, 3), multiply),
    "SEQUENCE": ArrayFunction((Kind.NUMBER, Kind.NUMBER), range(1, 3), sequence),
    "FILTER": ArrayFunction((Kind.MATRIX, Kind.MATRIX), range(2, 3), keep),
    "SORT": ArrayFunction((Kind.MATRIX, Kind.NUMBER, Kind.NUMBER), range(1, 4), sort),
}
