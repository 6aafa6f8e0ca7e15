"""Cells are triples of a sheet's number, a row and a column; areas are rectangles of them on a sheet.

A place is a row and a column alone, both counted from 1.
"""

import re
from collections import namedtuple

MAX_ROW = 99999
MAX_COLUMN = 702
CELL = re.compile(r"([A-Za-z]{1,2})([1-9][0-9]{0,4})")


def column_number(letters):
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_letters(number):
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def parse_cell(text):
    """The place that a text names, or None."""
    match = CELL.fullmatch(text)
    return (int(match[2]), column_number(match[1])) if match else None


def show_cell(cell):
    _, row, column = cell
    return f"{column_letters(column)}{row}"


def is_on_sheet(row, column):
    return 1 <= row <= MAX_ROW and 1 <= column <= MAX_COLUMN


class Area(namedtuple("Area", ["sheet", "top", "left", "bottom", "right"])):
    __slots__ = ()

    @property
    def rows(self):
        return self.bottom - self.top + 1

    @property
    def columns(self):
        return self.right - self.left + 1

    @property
    def size(self):
        return self.rows * self.columns

    def __contains__(self, cell):
        sheet, row, column = cell
        return sheet == self.sheet and self.top <= row <= self.bottom and self.left <= column <= self.right

    def cells(self):
        """Its cells, row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield self.sheet, row, column


def area_between(sheet, first, last):
    """The area that has two places at opposite corners."""
    rows = sorted((first[0], last[0]))
    columns = sorted((first[1], last[1]))
    return Area(sheet, rows[0], columns[0], rows[1], columns[1])


def whole_sheet(sheet):
    return Area(sheet, 1, 1, MAX_ROW, MAX_COLUMN)
