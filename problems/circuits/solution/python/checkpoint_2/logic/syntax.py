"""What a netlist consists of. Expressions are in postfix order, so that no depth is too much."""

from dataclasses import dataclass, field

DECLARATIONS = ("input", "output", "wire")

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """Bits of a value, `[high:low]` or, with both the same, `[index]`."""

    high: int
    low: int
    position: Position

    def __str__(self):
        return str(self.low) if self.high == self.low else f"{self.high}:{self.low}"

    def fits(self, width):
        return self.low <= self.high < width


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an expression: it takes `count` values off the stack and puts one back."""

    operator: str  # "constant", "signal", "part", "join", "repeat", a symbol, or a function's name
    count: int
    position: Position
    detail: object = None  # of constants the bits, of signals the name, then a Part, and a number of times


@dataclass(frozen=True, slots=True)
class Declaration:
    kind: str  # "input", "output" or "wire"
    name: str
    position: Position
    width: int


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    position: Position
    part: Part | None
    steps: tuple[Step, ...]


@dataclass(slots=True)
class Netlist:
    declarations: list[Declaration] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
