"""From tokens to a netlist."""

from logic.cursor import Cursor
from logic.expressions import ExpressionParser
from logic.syntax import DECLARATIONS, Assignment, Connection, Declaration, DeclaredParameter, Instance, Module, Netlist
from logic.tokens import tokenize


class Parser:
    def __init__(self, text):
        self.cursor = Cursor(tokenize(text))
        self.netlist = Netlist()

    def parse(self):
        while self.cursor.token.kind != "end":
            if self.cursor.token.text == "module":
                self.cursor.take()
                self.netlist.modules.append(self.module())
            else:
                self.statement(self.netlist.main)
        return self.netlist

    def module(self):
        name = self.cursor.name()
        parameters = []
        if self.cursor.symbol("[", "{").text == "[":
            parameters = self.separated("]", self.parameter)
            self.cursor.symbol("{")
        module = Module(name.text, name.position, tuple(parameters))
        while not self.cursor.at_symbol("}"):
            self.statement(module)
        self.cursor.take()
        return module

    def parameter(self):
        name = self.cursor.name()
        default = None
        if self.cursor.at_symbol("="):
            self.cursor.take()
            default = self.cursor.number()
        return DeclaredParameter(name.text, name.position, default)

    def separated(self, end, item):
        """One or more items with commas between them, up to a symbol."""
        items = [item()]
        while self.cursor.symbol(",", end).text == ",":
            items.append(item())
        return items

    def statement(self, module):
        if self.cursor.token.text in DECLARATIONS:
            kind = self.cursor.take().text
            module.declarations.extend(self.separated(";", lambda: self.declaration(kind)))
            return
        name = self.cursor.name()
        part = self.cursor.part() if self.cursor.at_symbol("[") else None
        if part is None and self.cursor.at_symbol(":"):
            self.cursor.take()
            module.instances.append(self.instance(name))
        else:
            self.cursor.symbol("=")
            steps = ExpressionParser(self.cursor, ";").parse()
            module.assignments.append(Assignment(name.text, name.position, part, steps))
        self.cursor.symbol(";")

    def declaration(self, kind):
        name = self.cursor.name()
        width = None
        if self.cursor.at_symbol("["):
            self.cursor.take()
            width = self.cursor.number()
            self.cursor.symbol("]")
        return Declaration(kind, name.text, name.position, width)

    def instance(self, name):
        module = self.cursor.name()
        numbers, connections = [], []
        if self.cursor.symbol("[", "(").text == "[":
            numbers = self.separated("]", self.cursor.number)
            self.cursor.symbol("(")
        if self.cursor.at_symbol(")"):
            self.cursor.take()
        else:
            connections = self.separated(")", self.connection)
        return Instance(name.text, name.position, module.text, module.position, tuple(numbers), tuple(connections))

    def connection(self):
        port = self.cursor.name()
        self.cursor.symbol("=")
        steps = ExpressionParser(self.cursor, ",", ")").parse()
        return Connection(port.text, port.position, steps)
