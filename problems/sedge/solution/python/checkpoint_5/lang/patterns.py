"""Parses patterns, and tells what is in them."""

from lang import nodes

CONSTANTS = {"true": True, "false": False, "nil": None}


class PatternParser:
    def __init__(self, cursor):
        self.cursor = cursor
        self.readers = {
            "name": self.name,
            "number": self.literal,
            "text": self.literal,
            "-": self.negative,
            "^": self.pin,
            "[": self.list_pattern,
            "{": self.map_pattern,
            "(": self.parenthesised,
            **dict.fromkeys(CONSTANTS, self.constant),
        }

    def pattern(self):
        options = [self.option()]
        bars = []
        while bar := self.cursor.accept("|"):
            bars.append(bar.position)
            options.append(self.option())
        return nodes.Choice(options[0].position, options, bars) if bars else options[0]

    def option(self):
        read = self.readers.get(self.cursor.kind)
        if read is None:
            raise self.cursor.fault()
        return read()

    def name(self):
        token = self.cursor.expect("name")
        if token.value == "_":
            return nodes.Anything(token.position)
        return nodes.Name(token.position, token.value)

    def literal(self):
        token = self.cursor.advance()
        return nodes.Literal(token.position, token.value)

    def constant(self):
        token = self.cursor.advance()
        return nodes.Literal(token.position, CONSTANTS[token.kind])

    def negative(self):
        sign = self.cursor.advance()
        return nodes.Literal(sign.position, -self.cursor.expect("number").value)

    def pin(self):
        start = self.cursor.advance()
        token = self.cursor.expect("name")
        return nodes.Pin(start.position, nodes.Name(token.position, token.value), None)

    def parenthesised(self):
        self.cursor.advance()
        inner = self.pattern()
        self.cursor.expect(")")
        return inner

    def list_pattern(self):
        start = self.cursor.advance()
        items = self.cursor.separated(self.list_item, "]")
        settle_rests(items)
        return nodes.ListPattern(start.position, items)

    def list_item(self):
        dots = self.cursor.accept("..")
        if not dots:
            return self.pattern()
        named = self.cursor.kind == "name"
        return nodes.Rest(dots.position, self.name() if named else nodes.Anything(dots.position))

    def map_pattern(self):
        start = self.cursor.advance()
        return nodes.MapPattern(start.position, self.cursor.separated(self.map_entry, "}"))

    def map_entry(self):
        if self.cursor.kind in ("name", "^", "[", "{", "("):
            raise self.cursor.fault()
        key = self.option()
        self.cursor.expect(":")
        return key, self.pattern()


def settle_rests(items):
    """Tells the rests of a list pattern what follows them."""
    behind = 0
    is_last = True
    for item in reversed(items):
        if isinstance(item, nodes.Rest):
            item.behind = behind
            item.is_last = is_last
            is_last = False
        else:
            behind += 1


def parts(pattern):
    """The patterns directly inside of one, in the order of the text."""
    if isinstance(pattern, nodes.ListPattern):
        return pattern.items
    if isinstance(pattern, nodes.Rest):
        return [pattern.pattern]
    if isinstance(pattern, nodes.MapPattern):
        return [entry for _, entry in pattern.entries]
    if isinstance(pattern, nodes.Choice):
        return pattern.options
    return []


def leaves(pattern):
    """The names and pins in a pattern, in the order of the text."""
    found = []
    waiting = [pattern]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (nodes.Name, nodes.Pin)):
            found.append(item)
        waiting.extend(reversed(parts(item)))
    return found


def names(pattern):
    """The first occurrence of each name, in the order of the text."""
    first = {}
    for leaf in leaves(pattern):
        if isinstance(leaf, nodes.Name):
            first.setdefault(leaf.name, leaf)
    return list(first.values())


def pins(pattern):
    return [leaf for leaf in leaves(pattern) if isinstance(leaf, nodes.Pin)]


def uneven_choices(pattern):
    """The places of all `|` whose right side has other names than the first option."""
    found = []
    named = {}
    for item in inner_first(pattern):
        sets = [named[id(part)] for part in parts(item)]
        named[id(item)] = {item.name} if isinstance(item, nodes.Name) else set().union(*sets)
        if isinstance(item, nodes.Choice):
            found += [bar for bar, others in zip(item.bars, sets[1:]) if others != sets[0]]
    return found


def inner_first(pattern):
    """A pattern and all in it, each after what is in it."""
    found = []
    waiting = [pattern]
    while waiting:
        found.append(waiting.pop())
        waiting.extend(parts(found[-1]))
    return reversed(found)


def declared(statement):
    """The nodes of the names that a statement declares in its block."""
    if isinstance(statement, nodes.Public):
        return declared(statement.declaration)
    if isinstance(statement, nodes.Declare):
        return names(statement.pattern)
    if isinstance(statement, nodes.Use):
        return statement.names
    return [statement] if isinstance(statement, nodes.Function) else []
