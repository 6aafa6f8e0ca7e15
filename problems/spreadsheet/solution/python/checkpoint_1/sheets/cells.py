"""Cells are pairs of a row and a column, both counted from 1."""

import re

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
