"""Parses statements and whole programs."""

from lang import nodes
from lang.cursor import Cursor
from lang.expressions import ExpressionParser
from lang.lexer import Lexer
from lang.patterns import PatternParser

ASSIGNMENTS = {"=": "", "+=": "+", "-=": "-", "*=": "*", "++=": "++"}


class Parser:
    def __init__(self, tokens):
        self.cursor = Cursor(tokens)
        self.expressions = ExpressionParser(self.cursor, self.block)
        self.expression = self.expressions.expression
        self.pattern = PatternParser(self.cursor).pattern
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
            "match": self.matching,
            "break": lambda: self.leave(nodes.Break),
            "continue": lambda: self.leave(nodes.Continue),
            "{": self.block,
        }
        self.outermost = {"use": self.use, "pub": self.public}
        self.publics = {
            "let": self.declaration,
            "var": self.declaration,
            "fn": self.expressions.named_function,
            "use": lambda: self.names_used(*self.used()),
        }

    def program(self):
        statements = []
        start = self.cursor.token.position
        while not self.cursor.accept("end"):
            read = self.outermost.get(self.cursor.kind, self.statement)
            statements.append(read())
        return nodes.Block(start, statements)

    def use(self):
        keyword, path = self.used()
        if not self.cursor.accept("as"):
            return self.names_used(keyword, path)
        name = self.expressions.declared_name()
        self.cursor.expect(";")
        return nodes.Use(keyword.position, path.value, path.position, [name], True)

    def used(self):
        return self.cursor.expect("use"), self.cursor.expect("text")

    def names_used(self, keyword, path):
        self.cursor.expect("for")
        names = [self.expressions.declared_name()]
        while self.cursor.accept(","):
            names.append(self.expressions.declared_name())
        self.cursor.expect(";")
        return nodes.Use(keyword.position, path.value, path.position, names, False)

    def public(self):
        keyword = self.cursor.advance()
        read = self.publics.get(self.cursor.kind)
        if read is None:
            raise self.cursor.fault()
        return nodes.Public(keyword.position, read())

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
        pattern = self.pattern()
        self.cursor.expect("=")
        value = self.expression()
        self.cursor.expect(";")
        return nodes.Declare(pattern.position, pattern, value, keyword.kind == "let")

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
        pattern = self.pattern()
        self.cursor.expect("in")
        return nodes.For(keyword.position, pattern, self.expression(), self.block())

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

    def matching(self):
        keyword = self.cursor.advance()
        node = nodes.Match(keyword.position, self.expression(), [], None)
        self.cursor.expect("{")
        while self.cursor.accept("case"):
            node.cases.append(self.case())
        if self.cursor.accept("else"):
            node.otherwise = self.block()
        self.cursor.expect("}")
        return node

    def case(self):
        pattern = self.pattern()
        keyword = self.cursor.accept("if")
        guard = (keyword.position, self.expression()) if keyword else None
        return nodes.Case(pattern, guard, self.block())

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
