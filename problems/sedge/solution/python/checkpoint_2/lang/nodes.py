"""The syntax tree. Each node's position is where its errors are reported."""

from dataclasses import dataclass
from fractions import Fraction

from lang.errors import Position


@dataclass(slots=True)
class Node:
    position: Position


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
    name: str
    value: Node
    constant: bool


@dataclass(slots=True)
class Assign(Node):
    """`operator` is empty, or what stands before the `=`."""

    target: Node
    operator: str
    value: Node


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
    variable: Name
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
class Break(Node):
    pass


@dataclass(slots=True)
class Continue(Node):
    pass
