"""Parses statements and whole programs."""

from lang import nodes
from lang.cursor import Cursor
from lang.expressions import ExpressionParser
from lang.lexer import Lexer

ASSIGNMENTS = {"=": "", "+=": "+", "-=": "-", "*=": "*", "++=": "++"}


class Parser:
    def __init__(self, tokens):
        self.cursor = Cursor(tokens)
        self.expressions = ExpressionParser(self.cursor, self.block)
        self.expression = self.expressions.expression
        self.statements = {
            "let": self.declaration,
            "var": self.declaration,
            "if": self.condition,
            "while": self.loop,
            "for": self.iteration,
            "fn": self.function,
            "return": self.returning,
            "fail": self.failing,
            "try": self.attempt,
            "break": lambda: self.leave(nodes.Break),
            "continue": lambda: self.leave(nodes.Continue),
            "{": self.block,
        }

    def program(self):
        statements = []
        start = self.cursor.token.position
        while not self.cursor.accept("end"):
            statements.append(self.statement())
        return nodes.Block(start, statements)

    def statement(self):
        read = self.statements.get(self.cursor.kind, self.simple)
        return read()

    def block(self):
        start = self.cursor.expect("{")
        statements = []
        while not self.cursor.accept("}"):
            statements.append(self.statement())
        return nodes.Block(start.position, statements)

    def declaration(self):
        keyword = self.cursor.advance()
        name = self.cursor.expect("name")
        self.cursor.expect("=")
        value = self.expression()
        self.cursor.expect(";")
        return nodes.Declare(name.position, name.value, value, keyword.kind == "let")

    def condition(self):
        branches = []
        start = self.cursor.token.position
        while keyword := self.cursor.accept("if"):
            branches.append((keyword.position, self.expression(), self.block()))
            if not self.cursor.accept("else"):
                return nodes.If(start, branches, None)
        return nodes.If(start, branches, self.block())

    def loop(self):
        keyword = self.cursor.advance()
        return nodes.While(keyword.position, self.expression(), self.block())

    def iteration(self):
        keyword = self.cursor.advance()
        variable = self.expressions.declared_name()
        self.cursor.expect("in")
        return nodes.For(keyword.position, variable, self.expression(), self.block())

    def function(self):
        """A declaration, or an expression that begins with a function."""
        if self.cursor.following == "name":
            return self.expressions.named_function()
        return self.simple()

    def returning(self):
        keyword = self.cursor.advance()
        if self.cursor.accept(";"):
            return nodes.Return(keyword.position, nodes.Literal(keyword.position, None))
        value = self.expression()
        self.cursor.expect(";")
        return nodes.Return(keyword.position, value)

    def failing(self):
        keyword = self.cursor.advance()
        value = self.expression()
        self.cursor.expect(";")
        return nodes.Fail(keyword.position, value)

    def attempt(self):
        keyword = self.cursor.advance()
        node = nodes.Try(keyword.position, self.block(), None, None, None)
        if self.cursor.accept("catch"):
            node.variable = self.expressions.declared_name()
            node.rescue = self.block()
        if self.cursor.accept("finally"):
            node.cleanup = self.block()
        if not (node.rescue or node.cleanup):
            raise self.cursor.fault()
        return node

    def leave(self, node):
        keyword = self.cursor.advance()
        self.cursor.expect(";")
        return node(keyword.position)

    def simple(self):
        """An assignment or an expression."""
        expression = self.expression()
        is_target = isinstance(expression, (nodes.Name, nodes.Index))
        if is_target and self.cursor.kind in ASSIGNMENTS:
            return self.assignment(expression)
        self.cursor.expect(";")
        return nodes.Evaluate(expression.position, expression)

    def assignment(self, target):
        token = self.cursor.advance()
        value = self.expression()
        self.cursor.expect(";")
        return nodes.Assign(token.position, target, ASSIGNMENTS[token.kind], value)


def parse(source):
    return Parser(Lexer(source).tokens()).program()
