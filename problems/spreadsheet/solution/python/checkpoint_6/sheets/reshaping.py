"""Rows and columns that are inserted or deleted, and what becomes of references."""

from collections import namedtuple

from sheets.cells import MAX_COLUMN, MAX_ROW
from sheets.nodes import Literal, Range, Reference, rebuild
from sheets.values import Error


class Insertion(namedtuple("Insertion", ["at", "count", "limit"])):
    """So many new lines before one; what is pushed over the limit is lost."""

    __slots__ = ()

    def line(self, number):
        """Where a line comes to be, or None."""
        moved = number + self.count if number >= self.at else number
        return moved if moved <= self.limit else None

    def span(self, first, last):
        """Where the lines from the first to the last come to be, or None."""
        moved = self.line(first)
        return None if moved is None else (moved, self.line(last) or self.limit)

    def keeps(self, first, last):
        """Whether a span holds the same lines as before."""
        return self.line(last) is not None and not first < self.at <= last


class Deletion(namedtuple("Deletion", ["at", "count"])):
    """So many lines from one on."""

    __slots__ = ()

    @property
    def after(self):
        return self.at + self.count

    def line(self, number):
        if number < self.at:
            return number
        return number - self.count if number >= self.after else None

    def span(self, first, last):
        moved_first = self.at if first in range(self.at, self.after) else self.line(first)
        moved_last = self.at - 1 if last in range(self.at, self.after) else self.line(last)
        return (moved_first, moved_last) if moved_first <= moved_last else None

    def keeps(self, first, last):
        return last < self.at or first >= self.after


class Reshaping:
    """A change of the rows or the columns of one sheet."""

    def __init__(self, sheet, change, of_rows):
        self.sheet = sheet
        self.change = change
        self.of_rows = of_rows

    def place(self, place):
        """Where a place of the sheet comes to be, or None."""
        row, column = place
        moved = self.change.line(row if self.of_rows else column)
        if moved is None:
            return None
        return (moved, column) if self.of_rows else (row, moved)

    def cell(self, cell):
        """Where a cell of any sheet comes to be, or None."""
        if cell[0] != self.sheet.number:
            return cell
        place = self.place(cell[1:])
        return place and (cell[0], *place)

    def splits(self, area):
        """Whether it parts an area of the sheet, and does not delete all of it."""
        ends = (area.top, area.bottom) if self.of_rows else (area.left, area.right)
        return not self.change.keeps(*ends) and self.change.span(*ends) is not None

    def node(self, node, home):
        """A formula of the sheet `home` afterwards, and whether any of its references lost or gained cells."""
        disturbances = []

        def change(leaf):
            if not isinstance(leaf, (Reference, Range)) or not self._is_on_sheet(leaf, home):
                return leaf
            moved, is_kept = self._reference(leaf) if isinstance(leaf, Reference) else self._range(leaf)
            if not is_kept:
                disturbances.append(leaf)
            return moved

        return rebuild(node, change), bool(disturbances)

    def _is_on_sheet(self, leaf, home):
        name = home if leaf.sheet is None else leaf.sheet
        return name.casefold() == self.sheet.name.casefold()

    def _reference(self, reference):
        place = self.place(reference.position.place)
        if place is None:
            return Literal(Error.REF), False
        return reference._replace(position=self._moved(reference.position, *place)), True

    def _range(self, node):
        ends = [position.row if self.of_rows else position.column for position in (node.first, node.last)]
        span = self.change.span(*ends)
        if span is None:
            return Literal(Error.REF), False
        first, last = (
            self._moved(position, end, position.column) if self.of_rows else self._moved(position, position.row, end)
            for position, end in zip((node.first, node.last), span)
        )
        return node._replace(first=first, last=last), self.change.keeps(*ends)

    @staticmethod
    def _moved(position, row, column):
        return position._replace(row=row, column=column)


def inserted(sheet, of_rows, at, count):
    return Reshaping(sheet, Insertion(at, count, MAX_ROW if of_rows else MAX_COLUMN), of_rows)


def deleted(sheet, of_rows, at, count):
    return Reshaping(sheet, Deletion(at, count), of_rows)
