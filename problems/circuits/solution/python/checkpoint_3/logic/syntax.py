"""What a netlist consists of. Expressions are in postfix order, so that no depth is too much."""

DECLARATIONS = ("input", "output", "wire")


class Parameter:
    """A parameter's name where it is used."""

    def __init__(self, name, position):
        self.name = name
        self.position = position


class Number:
    """A sum of products of integers and parameters."""

    def __init__(self, terms, position):
        self.terms = terms  # pairs of a sign, 1 or -1, and factors, integers or parameters
        self.position = position


class DeclaredParameter:
    def __init__(self, name, position, default):
        self.name = name
        self.position = position
        self.default = default  # a Number, or None


class Part:
    """Bits of a value, `[high:low]` or, with both the same, `[index]`."""

    def __init__(self, high, low, position):
        self.high = high
        self.low = low
        self.position = position


class Step:
    """One step of an expression: it takes `count` values off the stack and puts one back."""

    def __init__(self, operator, count, position, detail=None):
        self.operator = operator  # "constant", "signal", "part", "join", "repeat", a symbol, or a function's name
        self.count = count
        self.position = position
        self.detail = detail  # of constants the bits, of signals the name, then a Part, and a Number of times


class Declaration:
    def __init__(self, kind, name, position, width):
        self.kind = kind  # "input", "output" or "wire"
        self.name = name
        self.position = position
        self.width = width  # a Number, or None


class Assignment:
    def __init__(self, name, position, part, steps):
        self.name = name
        self.position = position
        self.part = part  # or None
        self.steps = steps


class Connection:
    def __init__(self, port, position, steps):
        self.port = port
        self.position = position
        self.steps = steps


class Instance:
    def __init__(self, name, position, module, module_position, numbers, connections):
        self.name = name
        self.position = position
        self.module = module
        self.module_position = module_position
        self.numbers = numbers
        self.connections = connections


class Module:
    def __init__(self, name="", position=(1, 1), parameters=()):
        self.name = name
        self.position = position
        self.parameters = parameters
        self.declarations = []
        self.assignments = []
        self.instances = []

    def fitting_numbers(self):
        """How many numbers an instance gives at least: up to the last parameter that has to have one; and at most."""
        places = enumerate(self.parameters, 1)
        return max((place for place, parameter in places if parameter.default is None), default=0), len(self.parameters)


class Netlist:
    def __init__(self):
        self.main = Module()
        self.modules = []
