"""Cells are pairs of a row and a column, both counted from 1; areas are rectangles of them."""

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
    """The cell that a text names, or None."""
    match = CELL.fullmatch(text)
    return (int(match[2]), column_number(match[1])) if match else None


def show_cell(cell):
    row, column = cell
    return f"{column_letters(column)}{row}"


def is_on_sheet(row, column):
    return 1 <= row <= MAX_ROW and 1 <= column <= MAX_COLUMN


class Area(namedtuple("Area", ["top", "left", "bottom", "right"])):
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
        row, column = cell
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    def cells(self):
        """Its cells, row by row."""
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column


def area_between(first, last):
    """The area that has two cells at opposite corners."""
    rows = sorted((first[0], last[0]))
    columns = sorted((first[1], last[1]))
    return Area(rows[0], columns[0], rows[1], columns[1])


WHOLE_SHEET = Area(1, 1, MAX_ROW, MAX_COLUMN)


def parse_area(text):
    """The area that a cell or a range names, or None."""
    first_text, colon, last_text = text.partition(":")
    first = parse_cell(first_text)
    last = parse_cell(last_text) if colon else first
    return None if first is None or last is None else area_between(first, last)
