"""The words of commands and what they stand for."""

import re
from collections import namedtuple

from sheets.cells import area_between, column_number, parse_cell
from sheets.contents import Formula, parse_content
from sheets.sheet_names import is_word, parse_sheet_name
from sheets.tokens import FormulaError

WORD = re.compile(r"(?:'(?:[^']|'')*(?:'|$)|[^ '])+")
ROW = COUNT = re.compile(r"[1-9][0-9]{0,4}")
COLUMN = re.compile(r"[A-Za-z]{1,2}")


class CommandError(Exception):
    """A command that is answered with an error; its text is the code."""


def first_word(text):
    """The first word and the rest, without blanks between."""
    match = WORD.match(text)
    end = match.end() if match else 0
    return text[:end], text[end:].lstrip(" ")


def words(text, *counts):
    """The words, of which there must be one of these numbers; blanks between single quotes separate none."""
    found = WORD.findall(text)
    if len(found) not in counts:
        raise CommandError("usage")
    return found


class Address(namedtuple("Address", ["sheet", "first", "last"])):
    """An area on the sheet that is named or on the active one."""

    __slots__ = ()

    def area(self, workbook):
        sheet = workbook.active if self.sheet is None else known_sheet(workbook, self.sheet)
        return area_between(sheet.number, self.first, self.last)

    def cell(self, workbook):
        area = self.area(workbook)
        return area.sheet, area.top, area.left


def parse_address(text):
    """The address of a cell or a range."""
    sheet_text, mark, place_text = text.rpartition("!")
    sheet = parse_sheet_name(sheet_text) if mark else None
    first_text, colon, last_text = place_text.partition(":")
    first = parse_cell(first_text)
    last = parse_cell(last_text) if colon else first
    if first is None or last is None or (mark and sheet is None):
        raise CommandError("cell")
    return Address(sheet, first, last)


def parse_cell_address(text):
    if ":" in text.rpartition("!")[2]:
        raise CommandError("cell")
    return parse_address(text)


def count_argument(text):
    if not COUNT.fullmatch(text):
        raise CommandError("usage")
    return int(text)


class Line(namedtuple("Line", ["sheet", "number"])):
    """A row or a column of the sheet that is named or of the active one."""

    __slots__ = ()

    def on_sheet(self, workbook):
        return workbook.active if self.sheet is None else known_sheet(workbook, self.sheet)


def parse_line(text, of_rows):
    sheet_text, mark, line_text = text.rpartition("!")
    sheet = parse_sheet_name(sheet_text) if mark else None
    pattern = ROW if of_rows else COLUMN
    if not pattern.fullmatch(line_text) or (mark and sheet is None):
        raise CommandError("cell")
    return Line(sheet, int(line_text) if of_rows else column_number(line_text))


def check_arrays(workbook, cells):
    if workbook.splits_array(cells):
        raise CommandError("array")


def formula_argument(text):
    formula = content_argument(text)
    if not isinstance(formula, Formula):
        raise CommandError("formula")
    return formula


def content_argument(text):
    try:
        return parse_content(text)
    except FormulaError as error:
        raise CommandError("formula") from error


def sheet_argument(text):
    name = parse_sheet_name(text)
    if name is None:
        raise CommandError("sheet")
    return name


def known_sheet(workbook, name):
    sheet = workbook.sheet_named(name)
    if sheet is None:
        raise CommandError("unknown")
    return sheet


def name_argument(text):
    if not is_word(text):
        raise CommandError("name")
    return text
