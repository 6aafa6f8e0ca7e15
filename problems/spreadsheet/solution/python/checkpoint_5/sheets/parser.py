"""From a formula's text to its tree."""

import re

from sheets.cells import column_number
from sheets.functions import FUNCTIONS
from sheets.nodes import Binary, Call, Literal, Name, Percent, Position, Prefix, Reference, range_between
from sheets.numbers import parse_literal
from sheets.sheet_names import parse_sheet_name
from sheets.tokens import FormulaError, tokenize
from sheets.values import BOOLEANS, ERRORS_BY_TEXT, settled

LEFT_ASSOCIATIVE = [
    {"=", "<>", "<", "<=", ">", ">="},
    {"&"},
    {"+", "-"},
    {"*", "/"},
]
POSITION = re.compile(r"(\$?)([A-Za-z]+)(\$?)([0-9]+)")


def parse_position(text):
    column_mark, letters, row_mark, digits = POSITION.fullmatch(text).groups()
    return Position(int(digits), column_number(letters), row_mark == "$", column_mark == "$")


def corner(token):
    if token.kind != "cell":
        raise FormulaError
    return parse_position(token.text)


class Parser:
    def __init__(self, text):
        self.tokens = tokenize(text)
        self.position = 0

    def formula(self):
        node = self.binary(0)
        if self.token.kind != "end":
            raise FormulaError
        return node

    @property
    def token(self):
        return self.tokens[self.position]

    def advance(self):
        token = self.token
        self.position += 1
        return token

    def at(self, *operators):
        return self.token.kind == "operator" and self.token.text in operators

    def expect(self, operator):
        if not self.at(operator):
            raise FormulaError
        self.advance()

    def binary(self, level):
        if level == len(LEFT_ASSOCIATIVE):
            return self.prefix()
        node = self.binary(level + 1)
        while self.at(*LEFT_ASSOCIATIVE[level]):
            operator = self.advance().text
            node = Binary(operator, node, self.binary(level + 1))
        return node

    def prefix(self):
        if self.at("+", "-"):
            operator = self.advance().text
            return Prefix(operator, self.prefix())
        return self.power()

    def power(self):
        node = self.postfix()
        if self.at("^"):
            self.advance()
            return Binary("^", node, self.prefix())
        return node

    def postfix(self):
        node = self.primary()
        while self.at("%"):
            self.advance()
            node = Percent(node)
        return node

    def primary(self):
        if self.at("("):
            self.advance()
            node = self.binary(0)
            self.expect(")")
            return node
        token = self.advance()
        match token.kind:
            case "number":
                return Literal(settled(parse_literal(token.text)))
            case "text":
                return Literal(token.text[1:-1].replace('""', '"'))
            case "error":
                return Literal(ERRORS_BY_TEXT[token.text])
            case "cell":
                return self.reference(None, token)
            case "sheet":
                return self.on_sheet(token.text.removesuffix("!"))
            case "word":
                return self.word(token.text)
        raise FormulaError

    def on_sheet(self, text):
        sheet = parse_sheet_name(text)
        if sheet is None:
            raise FormulaError
        return self.reference(sheet, self.advance())

    def reference(self, sheet, token):
        first = corner(token)
        if not self.at(":"):
            return Reference(sheet, first)
        self.advance()
        return range_between(sheet, first, corner(self.advance()))

    def word(self, word):
        if word.upper() in BOOLEANS:
            return Literal(BOOLEANS[word.upper()])
        if self.at("("):
            return self.call(word.upper())
        return Name(word)

    def call(self, name):
        self.advance()
        arguments = [] if self.at(")") else [self.binary(0)]
        while self.at(","):
            self.advance()
            arguments.append(self.binary(0))
        self.expect(")")
        function = FUNCTIONS.get(name)
        if function is not None and len(arguments) not in function.counts:
            raise FormulaError
        return Call(name, tuple(arguments))


def parse_formula(text):
    """The tree of the text after the `=`; raises FormulaError."""
    return Parser(text).formula()
