"""Formulas that are copied elsewhere."""

from sheets.cells import is_on_sheet
from sheets.nodes import Literal, Position, Range, Reference, range_between, rebuild
from sheets.values import Error


def shifted(node, rows, columns):
    """The formula as it reads so many rows and columns further."""

    def move(position):
        row = position.row if position.row_fixed else position.row + rows
        column = position.column if position.column_fixed else position.column + columns
        moved = Position(row, column, position.row_fixed, position.column_fixed)
        return moved if is_on_sheet(row, column) else None

    def change(leaf):
        match leaf:
            case Reference(position):
                moved = move(position)
                return Reference(moved) if moved else Literal(Error.REF)
            case Range(first, last):
                corners = move(first), move(last)
                return range_between(*corners) if all(corners) else Literal(Error.REF)
        return leaf

    return rebuild(node, change)
