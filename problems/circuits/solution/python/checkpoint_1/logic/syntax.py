"""What a netlist consists of. Expressions are in postfix order, so that no depth is too much."""

from dataclasses import dataclass, field

DECLARATIONS = ("input", "output")

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an expression: it takes `count` values off the stack and puts one back."""

    operator: str  # "constant", "signal", a symbol, or a function's name
    count: int
    position: Position
    text: str = ""  # of constants and signals


@dataclass(frozen=True, slots=True)
class Declaration:
    kind: str  # "input" or "output"
    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    position: Position
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Netlist:
    declarations: list[Declaration] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
