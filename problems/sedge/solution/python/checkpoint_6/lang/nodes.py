"""The syntax tree. Each node's position is where its errors are reported."""

from dataclasses import dataclass, field
from fractions import Fraction

from lang.errors import Position


@dataclass(slots=True)
class Node:
    """Statements also know where they start."""

    position: Position
    start: Position | None = field(default=None, kw_only=True)


@dataclass(slots=True)
class Literal(Node):
    value: int | Fraction | str | bool | None


@dataclass(slots=True)
class Insertions(Node):
    """A text that is put together when it is evaluated."""

    parts: list[Node]


@dataclass(slots=True)
class Name(Node):
    name: str


@dataclass(slots=True)
class ListDisplay(Node):
    items: list[Node]


@dataclass(slots=True)
class MapDisplay(Node):
    entries: list[tuple[Node, Node]]


@dataclass(slots=True)
class Unary(Node):
    operator: str
    operand: Node


@dataclass(slots=True)
class Binary(Node):
    operator: str
    left: Node
    right: Node


@dataclass(slots=True)
class Shortcut(Node):
    """`and` or `or`: the right operand may not be evaluated."""

    operator: str
    left: Node
    right: Node


@dataclass(slots=True)
class Index(Node):
    container: Node
    index: Node


@dataclass(slots=True)
class Member(Index):
    """An item of a map, and of nothing else."""


@dataclass(slots=True)
class Call(Node):
    callee: Node
    arguments: list[Node]


@dataclass(slots=True)
class Function(Node):
    """The position is that of the name, if there is one."""

    name: str
    parameters: list[Name]
    body: "Block"


@dataclass(slots=True)
class Evaluate(Node):
    """An expression as a statement."""

    expression: Node


@dataclass(slots=True)
class Declare(Node):
    pattern: Node
    value: Node
    constant: bool


@dataclass(slots=True)
class Assign(Node):
    """`operator` is empty, or what stands before the `=`."""

    target: Node
    operator: str
    value: Node


@dataclass(slots=True)
class Use(Node):
    """Names the module as a whole, or some of what it offers; `module` is found later."""

    path: str
    path_position: Position
    names: list[Name]
    whole: bool
    module: object = None


@dataclass(slots=True)
class Public(Node):
    declaration: Node


def declaration(statement):
    """What a public declaration declares; other statements are what they are."""
    return statement.declaration if isinstance(statement, Public) else statement


@dataclass(slots=True)
class Block(Node):
    statements: list[Node]


@dataclass(slots=True)
class If(Node):
    """The branches in order, each with its condition, and what is done else."""

    branches: list[tuple[Position, Node, Block]]
    otherwise: Block | None


@dataclass(slots=True)
class While(Node):
    condition: Node
    body: Block


@dataclass(slots=True)
class For(Node):
    pattern: Node
    sequence: Node
    body: Block


@dataclass(slots=True)
class Return(Node):
    value: Node


@dataclass(slots=True)
class Fail(Node):
    value: Node


@dataclass(slots=True)
class Try(Node):
    """`variable` is None if there is no `catch`."""

    body: Block
    variable: Name | None
    rescue: Block | None
    cleanup: Block | None


@dataclass(slots=True)
class Case:
    """One case of a `match`; the guard, if there is one, with the place of its `if`."""

    pattern: Node
    guard: tuple[Position, Node] | None
    body: Block


@dataclass(slots=True)
class Match(Node):
    subject: Node
    cases: list[Case]
    otherwise: Block | None


@dataclass(slots=True)
class Break(Node):
    pass


@dataclass(slots=True)
class Continue(Node):
    pass


# Patterns. A `Name` and a `Literal` can be patterns as well.


@dataclass(slots=True)
class Anything(Node):
    pass


@dataclass(slots=True)
class Pin(Node):
    """The value of a variable; the index is that among all pins of the pattern."""

    variable: Name
    index: int | None


@dataclass(slots=True)
class Rest(Node):
    """Any number of items. `behind` counts the patterns of one item each that follow it."""

    pattern: Name | Anything
    behind: int = 0
    is_last: bool = True


@dataclass(slots=True)
class ListPattern(Node):
    items: list[Node]

    def singles(self):
        return sum(1 for item in self.items if not isinstance(item, Rest))

    def has_rest(self):
        return any(isinstance(item, Rest) for item in self.items)


@dataclass(slots=True)
class MapPattern(Node):
    entries: list[tuple[Literal, Node]]


@dataclass(slots=True)
class Choice(Node):
    """`bars` are the places of what stands between the options."""

    options: list[Node]
    bars: list[Position]
