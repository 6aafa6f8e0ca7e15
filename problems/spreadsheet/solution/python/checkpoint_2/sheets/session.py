"""Commands and their answers."""

import sys

from sheets.cells import WHOLE_SHEET, is_on_sheet, parse_area, parse_cell, show_cell
from sheets.contents import parse_content
from sheets.tokens import FormulaError
from sheets.values import show
from sheets.workbook import Workbook

RECURSION_LIMIT = 20000


class CommandError(Exception):
    """A command that is answered with an error; its text is the code."""


def cell_argument(text):
    cell = parse_cell(text)
    if cell is None:
        raise CommandError("cell")
    return cell


def area_argument(text):
    area = parse_area(text)
    if area is None:
        raise CommandError("cell")
    return area


def split_arguments(text, *counts):
    """The words, of which there must be one of these numbers."""
    words = [word for word in text.split(" ") if word]
    if len(words) not in counts:
        raise CommandError("usage")
    return words


def copy_targets(source, target):
    """The top left cells of all copies of an area; with a single one, the target may be a cell."""
    if source.size > 1 and target.size > 1:
        raise CommandError("shape")
    if not is_on_sheet(target.top + source.rows - 1, target.left + source.columns - 1):
        raise CommandError("bounds")
    return target.cells()


class Session:
    def __init__(self):
        self.workbook = Workbook()
        self.commands = {
            "set": self.set,
            "clear": self.clear,
            "copy": self.copy,
            "get": self.get,
            "source": self.source,
            "list": self.list,
        }

    def answer(self, line):
        """The lines that answer a command."""
        word, _, rest = line.partition(" ")
        try:
            if word not in self.commands:
                raise CommandError("command")
            return self.commands[word](rest.strip(" "))
        except CommandError as error:
            return [f"error {error}"]

    def set(self, text):
        word, _, content_text = text.partition(" ")
        content_text = content_text.lstrip(" ")
        if not content_text:
            raise CommandError("usage")
        cell = cell_argument(word)
        try:
            content = parse_content(content_text)
        except FormulaError as error:
            raise CommandError("formula") from error
        self.workbook.put_all({cell: content})
        return ["ok"]

    def clear(self, text):
        (word,) = split_arguments(text, 1)
        area = area_argument(word)
        self.workbook.put_all(dict.fromkeys(self.workbook.filled(area)))
        return ["ok"]

    def copy(self, text):
        source, target = map(area_argument, split_arguments(text, 2))
        contents = {cell: self.workbook.content(cell) for cell in source.cells()}
        changes = {}
        for top, left in copy_targets(source, target):
            rows, columns = top - source.top, left - source.left
            for (row, column), content in contents.items():
                changes[row + rows, column + columns] = content and content.shifted(rows, columns)
        self.workbook.put_all(changes)
        return ["ok"]

    def get(self, text):
        (word,) = split_arguments(text, 1)
        value = self.workbook.value(cell_argument(word))
        return ["empty" if value is None else show(value)]

    def source(self, text):
        (word,) = split_arguments(text, 1)
        content = self.workbook.content(cell_argument(word))
        return ["empty" if content is None else content.source()]

    def list(self, text):
        words = split_arguments(text, 0, 1)
        area = area_argument(words[0]) if words else WHOLE_SHEET
        lines = [f"{show_cell(cell)} {show(value)}" for cell, value in self.workbook.values(area)]
        return [f"ok {len(lines)}", *lines]


def run(commands, answers):
    """Answers each line of a binary stream on another."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    session = Session()
    for raw in commands:
        line = raw.decode("utf-8").removesuffix("\n").strip(" ")
        if line and not line.startswith("#"):
            text = "\n".join(session.answer(line)) + "\n"
            answers.write(text.encode("utf-8"))
