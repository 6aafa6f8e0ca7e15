"""The commands about scenarios."""

from sheets.arguments import (
    CommandError,
    check_arrays,
    content_argument,
    first_word,
    name_argument,
    parse_cell_address,
    words,
)
from sheets.display import listing, show_any, show_on_sheet, show_source, trace


class ScenarioCommands:
    """Each method of a command returns the answer's lines, or None when it has edited something."""

    def __init__(self, workbook):
        self.workbook = workbook
        self.commands = {
            "set": self.set,
            "clear": self.clear,
            "forget": self.forget,
            "list": self.list,
            "run": self.run,
            "get": self.get,
            "apply": self.apply,
            "drop": self.drop,
        }

    def answer(self, text):
        name_text, rest = first_word(text)
        word, rest = first_word(rest)
        if word not in self.commands:
            raise CommandError("usage")
        return self.commands[word](name_text, rest)

    def known(self, name):
        scenario = self.workbook.scenarios.get(name.casefold())
        if scenario is None:
            raise CommandError("unknown")
        return scenario

    def set(self, name_text, text):
        word, content_text = first_word(text)
        if not content_text:
            raise CommandError("usage")
        address = parse_cell_address(word)
        name = name_argument(name_text)
        content = content_argument(content_text).with_sheets(self.workbook.spellings())
        cell = address.cell(self.workbook)
        self.workbook.scenario(name).changes[cell] = content
        return ["ok"]

    def clear(self, name_text, text):
        address, name = self.change_arguments(name_text, text)
        cell = address.cell(self.workbook)
        self.workbook.scenario(name).changes[cell] = None
        return ["ok"]

    def change_arguments(self, name_text, text):
        (word,) = words(text, 1)
        return parse_cell_address(word), name_argument(name_text)

    def forget(self, name_text, text):
        address, name = self.change_arguments(name_text, text)
        cell = address.cell(self.workbook)
        changes = self.known(name).changes
        if cell not in changes:
            raise CommandError("unknown")
        del changes[cell]
        return ["ok"]

    def get(self, name_text, text):
        address, name = self.change_arguments(name_text, text)
        cell = address.cell(self.workbook)
        scenario = self.known(name)
        check_arrays(self.workbook, scenario.changes)
        _, value = self.workbook.try_out(scenario, cell)
        return [show_any(value)]

    def list(self, name_text, text):
        changes = self.whole(name_text, text).changes
        lines = [f"{show_on_sheet(self.workbook, cell)} {show_source(changes[cell], cell)}" for cell in sorted(changes)]
        return listing(lines)

    def run(self, name_text, text):
        scenario = self.whole(name_text, text)
        check_arrays(self.workbook, scenario.changes)
        evaluations, _ = self.workbook.try_out(scenario)
        return trace(self.workbook, evaluations)

    def apply(self, name_text, text):
        changes = self.whole(name_text, text).changes
        check_arrays(self.workbook, changes)
        self.workbook.put_all(changes)

    def drop(self, name_text, text):
        scenario = self.whole(name_text, text)
        del self.workbook.scenarios[scenario.spelling.casefold()]
        return ["ok"]

    def whole(self, name_text, text):
        words(text, 0)
        return self.known(name_argument(name_text))
