"""Formulas as trees."""

from collections import namedtuple


Literal = namedtuple("Literal", ["value"])


Reference = namedtuple("Reference", ["cell"])


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


def walk(node):
    """The node and all below it, from left to right."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(children(current)))
