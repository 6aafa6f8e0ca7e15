"""What a netlist consists of. Expressions are in postfix order, so that no depth is too much."""

DECLARATIONS = ("input", "output", "wire")


class Part:
    """Bits of a value, `[high:low]` or, with both the same, `[index]`."""

    def __init__(self, high, low, position):
        self.high = high
        self.low = low
        self.position = position

    def __str__(self):
        return str(self.low) if self.high == self.low else f"{self.high}:{self.low}"

    def fits(self, width):
        return self.low <= self.high < width


class Step:
    """One step of an expression: it takes `count` values off the stack and puts one back."""

    def __init__(self, operator, count, position, detail=None):
        self.operator = operator  # "constant", "signal", "part", "join", "repeat", a symbol, or a function's name
        self.count = count
        self.position = position
        self.detail = detail  # of constants the bits, of signals the name, then a Part, and a number of times


class Declaration:
    def __init__(self, kind, name, position, width):
        self.kind = kind  # "input", "output" or "wire"
        self.name = name
        self.position = position
        self.width = width


class Assignment:
    def __init__(self, name, position, part, steps):
        self.name = name
        self.position = position
        self.part = part  # or None
        self.steps = steps


class Netlist:
    def __init__(self):
        self.declarations = []
        self.assignments = []
