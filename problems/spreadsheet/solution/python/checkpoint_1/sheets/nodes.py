"""Formulas as trees."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    value: object


@dataclass(frozen=True, slots=True)
class Reference:
    cell: tuple


@dataclass(frozen=True, slots=True)
class Name:
    name: str


@dataclass(frozen=True, slots=True)
class Prefix:
    operator: str
    operand: object


@dataclass(frozen=True, slots=True)
class Percent:
    operand: object


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: object
    right: object


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: tuple


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
