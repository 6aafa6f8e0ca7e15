"""Commands and their answers."""

import sys

from sheets.cells import parse_cell, show_cell
from sheets.tokens import FormulaError
from sheets.values import show
from sheets.workbook import Workbook, parse_content

RECURSION_LIMIT = 20000


class CommandError(Exception):
    """A command that is answered with an error; its text is the code."""


def cell_argument(text):
    cell = parse_cell(text)
    if cell is None:
        raise CommandError("cell")
    return cell


def split_arguments(text, count):
    """Exactly so many words."""
    words = [word for word in text.split(" ") if word]
    if len(words) != count:
        raise CommandError("usage")
    return words


class Session:
    def __init__(self):
        self.workbook = Workbook()
        self.commands = {
            "set": self.set,
            "clear": self.clear,
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
        self.workbook.put(cell, content)
        return ["ok"]

    def clear(self, text):
        (word,) = split_arguments(text, 1)
        self.workbook.remove(cell_argument(word))
        return ["ok"]

    def get(self, text):
        (word,) = split_arguments(text, 1)
        value = self.workbook.value(cell_argument(word))
        return ["empty" if value is None else show(value)]

    def source(self, text):
        (word,) = split_arguments(text, 1)
        return [self.workbook.source(cell_argument(word)) or "empty"]

    def list(self, text):
        split_arguments(text, 0)
        lines = [f"{show_cell(cell)} {show(value)}" for cell, value in self.workbook.values()]
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
