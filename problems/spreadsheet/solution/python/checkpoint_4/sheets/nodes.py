"""Formulas as trees."""

from collections import namedtuple


Literal = namedtuple("Literal", ["value"])


class Position(namedtuple("Position", ["row", "column", "row_fixed", "column_fixed"])):
    """A cell as a formula mentions it; what is fixed stays when the formula is copied."""

    __slots__ = ()

    @property
    def place(self):
        return self.row, self.column


class Reference(namedtuple("Reference", ["sheet", "position"])):
    """A cell, on the sheet that is named or on the formula's own."""

    __slots__ = ()


class Range(namedtuple("Range", ["sheet", "first", "last"])):
    """A rectangle from its first corner, top left, to its last."""

    __slots__ = ()


def range_between(sheet, one, other):
    """The range with two positions at opposite corners, whichever they are."""
    top, bottom = (one, other) if one.row <= other.row else (other, one)
    left, right = (one, other) if one.column <= other.column else (other, one)
    return Range(
        sheet,
        Position(top.row, left.column, top.row_fixed, left.column_fixed),
        Position(bottom.row, right.column, bottom.row_fixed, right.column_fixed),
    )


Name = namedtuple("Name", ["name"])


Prefix = namedtuple("Prefix", ["operator", "operand"])


Percent = namedtuple("Percent", ["operand"])


Binary = namedtuple("Binary", ["operator", "left", "right"])


Call = namedtuple("Call", ["function", "arguments"])


def children(node):
    match node:
        case Prefix(_, operand) | Percent(operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case Call(_, arguments):
            return arguments
    return ()


def rebuild(node, change):
    """The tree with `change` applied to every node that has no children."""
    match node:
        case Prefix(operator, operand):
            return Prefix(operator, rebuild(operand, change))
        case Percent(operand):
            return Percent(rebuild(operand, change))
        case Binary(operator, left, right):
            return Binary(operator, rebuild(left, change), rebuild(right, change))
        case Call(function, arguments):
            return Call(function, tuple(rebuild(argument, change) for argument in arguments))
    return change(node)


def walk(node):
    """The node and all below it, from left to right."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(children(current)))


def mentioned_names(node):
    """The folded names that a formula has in it."""
    return {part.name.casefold() for part in walk(node) if isinstance(part, Name)}


def mentioned_sheets(node):
    """The folded names of the sheets that a formula has in it."""
    return {part.sheet.casefold() for part in walk(node) if isinstance(part, (Reference, Range)) and part.sheet}
