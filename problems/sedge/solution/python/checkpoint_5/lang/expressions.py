"""Parses expressions."""

from lang import nodes

CONSTANTS = {"true": True, "false": False, "nil": None}
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
LEFT_LEVELS = (
    frozenset(("++",)),
    frozenset(("+", "-")),
    frozenset(("*", "/", "//", "%")),
)


class ExpressionParser:
    """One method for each level of binding, the loosest first."""

    def __init__(self, cursor, block):
        """`block` reads the block of a function."""
        self.cursor = cursor
        self.block = block
        self.primaries = {
            "number": self.literal,
            "text": self.literal,
            "opening": self.insertions,
            "name": self.name,
            "(": self.parenthesised,
            "[": self.list_display,
            "{": self.map_display,
            "fn": self.function,
            **dict.fromkeys(CONSTANTS, self.constant),
        }
        self.suffixes = {"(": self.call, "[": self.index, ".": self.member}

    def expression(self):
        return self.shortcut("or", lambda: self.shortcut("and", self.inversion))

    def shortcut(self, operator, operand):
        left = operand()
        while token := self.cursor.accept(operator):
            left = nodes.Shortcut(token.position, operator, left, operand())
        return left

    def inversion(self):
        token = self.cursor.accept("not")
        if token:
            return nodes.Unary(token.position, "not", self.inversion())
        return self.comparison()

    def comparison(self):
        left = self.left_level(0)
        if self.cursor.kind not in COMPARISONS:
            return left
        token = self.cursor.advance()
        right = self.left_level(0)
        if self.cursor.kind in COMPARISONS:
            raise self.cursor.fault()
        return nodes.Binary(token.position, token.kind, left, right)

    def left_level(self, level):
        if level == len(LEFT_LEVELS):
            return self.negation()
        left = self.left_level(level + 1)
        while self.cursor.kind in LEFT_LEVELS[level]:
            token = self.cursor.advance()
            right = self.left_level(level + 1)
            left = nodes.Binary(token.position, token.kind, left, right)
        return left

    def negation(self):
        token = self.cursor.accept("-")
        if token:
            return nodes.Unary(token.position, "-", self.negation())
        return self.power()

    def power(self):
        base = self.postfix()
        token = self.cursor.accept("**")
        if token:
            return nodes.Binary(token.position, "**", base, self.negation())
        return base

    def postfix(self):
        value = self.primary()
        while self.cursor.kind in self.suffixes:
            value = self.suffixes[self.cursor.kind](value)
        return value

    def call(self, callee):
        token = self.cursor.advance()
        arguments = self.cursor.separated(self.expression, ")")
        return nodes.Call(token.position, callee, arguments)

    def index(self, container):
        token = self.cursor.advance()
        index = self.expression()
        self.cursor.expect("]")
        return nodes.Index(token.position, container, index)

    def member(self, container):
        """`m.name` is `m["name"]`."""
        token = self.cursor.advance()
        name = self.cursor.expect("name")
        return nodes.Member(token.position, container, nodes.Literal(name.position, name.value))

    def primary(self):
        read = self.primaries.get(self.cursor.kind)
        if read is None:
            raise self.cursor.fault()
        return read()

    def literal(self):
        token = self.cursor.advance()
        return nodes.Literal(token.position, token.value)

    def insertions(self):
        """A text whose pieces have expressions between them."""
        start = self.cursor.token
        parts = [self.literal(), self.expression()]
        while self.cursor.kind == "between":
            parts += [self.literal(), self.expression()]
        closing = self.cursor.expect("closing")
        parts.append(nodes.Literal(closing.position, closing.value))
        return nodes.Insertions(start.position, parts)

    def constant(self):
        token = self.cursor.advance()
        return nodes.Literal(token.position, CONSTANTS[token.kind])

    def name(self):
        token = self.cursor.advance()
        return nodes.Name(token.position, token.value)

    def parenthesised(self):
        self.cursor.advance()
        inner = self.expression()
        self.cursor.expect(")")
        return inner

    def list_display(self):
        token = self.cursor.advance()
        return nodes.ListDisplay(token.position, self.cursor.separated(self.expression, "]"))

    def map_display(self):
        token = self.cursor.advance()
        return nodes.MapDisplay(token.position, self.cursor.separated(self.map_entry, "}"))

    def map_entry(self):
        key = self.expression()
        self.cursor.expect(":")
        return key, self.expression()

    def function(self):
        keyword = self.cursor.expect("fn")
        return self.signature("", keyword.position)

    def named_function(self):
        self.cursor.expect("fn")
        name = self.cursor.expect("name")
        return self.signature(name.value, name.position)

    def signature(self, name, position):
        self.cursor.expect("(")
        parameters = self.cursor.separated(self.declared_name, ")")
        return nodes.Function(position, name, parameters, self.block())

    def declared_name(self):
        token = self.cursor.expect("name")
        return nodes.Name(token.position, token.value)
