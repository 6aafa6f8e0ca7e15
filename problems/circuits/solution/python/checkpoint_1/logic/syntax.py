"""What a netlist consists of. Expressions are in postfix order, so that no depth is too much."""

DECLARATIONS = ("input", "output")


class Step:
    """One step of an expression: it takes `count` values off the stack and puts one back."""

    def __init__(self, operator, count, position, text=""):
        self.operator = operator  # "constant", "signal", a symbol, or a function's name
        self.count = count
        self.position = position
        self.text = text  # of constants and signals


class Declaration:
    def __init__(self, kind, name, position):
        self.kind = kind  # "input" or "output"
        self.name = name
        self.position = position


class Assignment:
    def __init__(self, name, position, steps):
        self.name = name
        self.position = position
        self.steps = steps


class Netlist:
    def __init__(self):
        self.declarations = []
        self.assignments = []
