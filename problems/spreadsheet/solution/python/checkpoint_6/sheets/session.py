"""Commands and their answers."""

import sys

from sheets.arguments import (
    CommandError,
    check_arrays,
    content_argument,
    count_argument,
    first_word,
    formula_argument,
    known_sheet,
    name_argument,
    parse_address,
    parse_cell_address,
    parse_line,
    sheet_argument,
    words,
)
from sheets.cells import MAX_COLUMN, MAX_ROW, is_on_sheet, show_cell, whole_sheet
from sheets.display import listing, show_any, show_source, trace
from sheets.matrices import MAX_SIZE
from sheets.reshaping import deleted, inserted
from sheets.scenario_commands import ScenarioCommands
from sheets.sheet_names import show_sheet_name
from sheets.values import show
from sheets.workbook import Workbook

RECURSION_LIMIT = 20000


def check_copy(source, target):
    """With a single cell to copy, the target may have several."""
    if source.size > 1 and target.size > 1:
        raise CommandError("shape")
    if not is_on_sheet(target.top + source.rows - 1, target.left + source.columns - 1):
        raise CommandError("bounds")


def check_insertion(reshaping):
    if any(reshaping.place(place) is None for place in reshaping.sheet.contents):
        raise CommandError("bounds")


class Session:
    """Each method of a command returns the answer's lines, or None when it has edited something."""

    def __init__(self):
        self.workbook = Workbook()
        self.traces = False
        self.commands = {
            "set": self.set,
            "array": self.array,
            "clear": self.clear,
            "copy": self.copy,
            "get": self.get,
            "source": self.source,
            "list": self.list,
            "name": self.name,
            "unname": self.unname,
            "names": self.names,
            "sheet": self.sheet,
            "sheets": self.sheets,
            "insert": self.insert,
            "delete": self.delete,
            "scenario": self.scenario,
            "scenarios": self.scenarios,
            "trace": self.trace,
            "begin": self.begin,
            "commit": self.commit,
            "abort": self.abort,
        }
        self.sheet_commands = {
            "add": self.add_sheet,
            "use": self.use_sheet,
            "rename": self.rename_sheet,
            "copy": self.copy_sheet,
            "delete": self.delete_sheet,
        }
        self.scenario_commands = ScenarioCommands(self.workbook)

    def answer(self, line):
        """The lines that answer a command."""
        word, _, rest = line.partition(" ")
        try:
            if word not in self.commands:
                raise CommandError("command")
            lines = self.commands[word](rest.strip(" "))
        except CommandError as error:
            return [f"error {error}"]
        return self.after_edit() if lines is None else lines

    def after_edit(self):
        if not self.traces or self.workbook.batch:
            return ["ok"]
        return trace(self.workbook, self.workbook.recalculate())

    def set(self, text):
        word, content_text = first_word(text)
        if not content_text:
            raise CommandError("usage")
        address = parse_cell_address(word)
        content = content_argument(content_text).with_sheets(self.workbook.spellings())
        cell = address.cell(self.workbook)
        check_arrays(self.workbook, [cell])
        self.workbook.put_all({cell: content})

    def array(self, text):
        word, content_text = first_word(text)
        if not content_text:
            raise CommandError("usage")
        address = parse_address(word)
        formula = formula_argument(content_text).with_sheets(self.workbook.spellings())
        area = address.area(self.workbook)
        if area.size > MAX_SIZE:
            raise CommandError("bounds")
        check_arrays(self.workbook, area.cells())
        self.workbook.put_array(area, formula)

    def clear(self, text):
        (word,) = words(text, 1)
        cells = self.workbook.filled(parse_address(word).area(self.workbook))
        check_arrays(self.workbook, cells)
        self.workbook.put_all(dict.fromkeys(cells))

    def copy(self, text):
        addresses = [parse_address(word) for word in words(text, 2)]
        source, target = (address.area(self.workbook) for address in addresses)
        check_copy(source, target)
        check_arrays(self.workbook, source.cells())
        contents = {cell[1:]: self.workbook.content(cell) for cell in source.cells()}
        changes = {}
        for sheet, top, left in target.cells():
            rows, columns = top - source.top, left - source.left
            for (row, column), content in contents.items():
                changes[sheet, row + rows, column + columns] = content and content.shifted(rows, columns)
        check_arrays(self.workbook, changes)
        self.workbook.put_all(changes)

    def get(self, text):
        (word,) = words(text, 1)
        value = self.workbook.value(parse_cell_address(word).cell(self.workbook))
        return [show_any(value)]

    def source(self, text):
        (word,) = words(text, 1)
        cell = parse_cell_address(word).cell(self.workbook)
        return [show_source(self.workbook.content(cell), cell)]

    def list(self, text):
        found = words(text, 0, 1)
        area = parse_address(found[0]).area(self.workbook) if found else whole_sheet(self.workbook.active.number)
        return listing([f"{show_cell(cell)} {show(value)}" for cell, value in self.workbook.values(area)])

    def name(self, text):
        word, content_text = first_word(text)
        if not content_text:
            raise CommandError("usage")
        name = name_argument(word)
        self.workbook.define_name(name, formula_argument(content_text))

    def unname(self, text):
        (word,) = words(text, 1)
        name = name_argument(word)
        if name.casefold() not in self.workbook.names:
            raise CommandError("unknown")
        self.workbook.remove_name(name)

    def names(self, text):
        words(text, 0)
        names = sorted(self.workbook.names.items())
        return listing([f"{name.spelling} {name.formula.source()}" for _, name in names])

    def sheet(self, text):
        word, rest = first_word(text)
        if word not in self.sheet_commands:
            raise CommandError("command")
        self.check_batch(False)
        return self.sheet_commands[word](rest)

    def sheets(self, text):
        words(text, 0)
        sheets = self.workbook.sheets.values()
        marks = {self.workbook.active.number: " active"}
        return listing([show_sheet_name(sheet.name) + marks.get(sheet.number, "") for sheet in sheets])

    def add_sheet(self, text):
        (word,) = words(text, 1)
        name = sheet_argument(word)
        self.check_new(name)
        self.workbook.add_sheet(name)

    def use_sheet(self, text):
        (word,) = words(text, 1)
        self.workbook.active = known_sheet(self.workbook, sheet_argument(word))
        return ["ok"]

    def rename_sheet(self, text):
        old, new = map(sheet_argument, words(text, 2))
        sheet = known_sheet(self.workbook, old)
        self.check_new(new, besides=sheet)
        self.workbook.rename_sheet(sheet, new)

    def copy_sheet(self, text):
        old, new = map(sheet_argument, words(text, 2))
        sheet = known_sheet(self.workbook, old)
        self.check_new(new)
        self.workbook.copy_sheet(sheet, new)

    def delete_sheet(self, text):
        (word,) = words(text, 1)
        sheet = known_sheet(self.workbook, sheet_argument(word))
        if len(self.workbook.sheets) == 1:
            raise CommandError("last")
        self.workbook.delete_sheet(sheet)

    def insert(self, text):
        sheet, of_rows, line, count = self.lines_argument(text)
        reshaping = inserted(sheet, of_rows, line, count)
        check_insertion(reshaping)
        self.reshape(reshaping)

    def delete(self, text):
        sheet, of_rows, line, count = self.lines_argument(text)
        if line + count - 1 > (MAX_ROW if of_rows else MAX_COLUMN):
            raise CommandError("bounds")
        self.reshape(deleted(sheet, of_rows, line, count))

    def reshape(self, reshaping):
        if any(map(reshaping.splits, self.workbook.arrays(reshaping.sheet))):
            raise CommandError("array")
        self.workbook.reshape(reshaping)

    def lines_argument(self, text):
        """The sheet, whether rows are meant, the first of them and how many."""
        self.check_batch(False)
        kind, line_text, *counts = words(text, 2, 3)
        if kind not in ("rows", "columns"):
            raise CommandError("usage")
        count = count_argument(*counts) if counts else 1
        line = parse_line(line_text, kind == "rows")
        return line.on_sheet(self.workbook), kind == "rows", line.number, count

    def scenario(self, text):
        self.check_batch(False)
        return self.scenario_commands.answer(text)

    def scenarios(self, text):
        words(text, 0)
        return listing([scenario.spelling for _, scenario in sorted(self.workbook.scenarios.items())])

    def trace(self, text):
        (word,) = words(text, 1)
        if word not in ("on", "off"):
            raise CommandError("usage")
        self.workbook.recalculate()
        self.traces = word == "on"
        return ["ok"]

    def begin(self, text):
        self.check_batch(False)
        words(text, 0)
        self.workbook.begin()
        return ["ok"]

    def commit(self, text):
        self.check_batch(True)
        words(text, 0)
        self.workbook.commit()

    def abort(self, text):
        self.check_batch(True)
        words(text, 0)
        self.workbook.abort()
        return ["ok"]

    def check_batch(self, is_open):
        """Some commands are only for a batch, others never."""
        if bool(self.workbook.batch) != is_open:
            raise CommandError("batch")

    def check_new(self, name, besides=None):
        if self.workbook.sheet_named(name) not in (None, besides):
            raise CommandError("exists")


def run(commands, answers):
    """Answers each line of a binary stream on another."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    session = Session()
    for raw in commands:
        line = raw.decode("utf-8").removesuffix("\n").strip(" ")
        if line and not line.startswith("#"):
            text = "\n".join(session.answer(line)) + "\n"
            answers.write(text.encode("utf-8"))
