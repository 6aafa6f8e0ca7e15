"""Expressions as they are written; a node's position is the one that its errors tell."""

from dataclasses import dataclass

from logquery.errors import Position


@dataclass(frozen=True, slots=True)
class Literal:
    value: object
    position: Position


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class Member:
    """`base.name` or `base[key]`; the position is that of the name or of the bracket."""

    base: object
    key: object
    position: Position


@dataclass(frozen=True, slots=True)
class Items:
    """A list that is written out."""

    items: tuple
    position: Position


@dataclass(frozen=True, slots=True)
class Unary:
    operator: str
    operand: object
    position: Position


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: object
    right: object
    position: Position


@dataclass(frozen=True, slots=True)
class OneOf:
    """`operand in (…)`."""

    operand: object
    choices: tuple
    position: Position


@dataclass(frozen=True, slots=True)
class IsKind:
    """`operand is kind`."""

    operand: object
    kind: str
    position: Position


@dataclass(frozen=True, slots=True)
class Call:
    """`name(arguments | condition)`; the condition may be None."""

    name: str
    arguments: tuple
    condition: object
    position: Position
