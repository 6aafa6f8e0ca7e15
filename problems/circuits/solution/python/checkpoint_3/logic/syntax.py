"""What a netlist consists of. Expressions are in postfix order, so that no depth is too much."""

from dataclasses import dataclass, field

DECLARATIONS = ("input", "output", "wire")

Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter's name where it is used."""

    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class Number:
    """A sum of products of integers and parameters."""

    terms: tuple[tuple[int, tuple[int | Parameter, ...]], ...]  # with signs 1 and -1
    position: Position


@dataclass(frozen=True, slots=True)
class DeclaredParameter:
    name: str
    position: Position
    default: Number | None


@dataclass(frozen=True, slots=True)
class Part:
    """Bits of a value, `[high:low]` or, with both the same, `[index]`."""

    high: Number
    low: Number
    position: Position


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an expression: it takes `count` values off the stack and puts one back."""

    operator: str  # "constant", "signal", "part", "join", "repeat", a symbol, or a function's name
    count: int
    position: Position
    detail: object = None  # of constants the bits, of signals the name, then a Part, and a Number of times


@dataclass(frozen=True, slots=True)
class Declaration:
    kind: str  # "input", "output" or "wire"
    name: str
    position: Position
    width: Number | None


@dataclass(frozen=True, slots=True)
class Assignment:
    name: str
    position: Position
    part: Part | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Connection:
    port: str
    position: Position
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    name: str
    position: Position
    module: str
    module_position: Position
    numbers: tuple[Number, ...]
    connections: tuple[Connection, ...]


@dataclass(slots=True)
class Module:
    name: str = ""
    position: Position = (1, 1)
    parameters: tuple[DeclaredParameter, ...] = ()
    declarations: list[Declaration] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)

    def fitting_numbers(self):
        """How many numbers an instance gives at least: up to the last parameter that has to have one; and at most."""
        places = enumerate(self.parameters, 1)
        return max((place for place, parameter in places if parameter.default is None), default=0), len(self.parameters)


@dataclass(slots=True)
class Netlist:
    main: Module = field(default_factory=Module)
    modules: list[Module] = field(default_factory=list)
