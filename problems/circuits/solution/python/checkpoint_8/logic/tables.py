"""The commands `table` and `count`."""

from logic.diagrams import Diagrams
from logic.errors import WRONG_CALL, CommandError
from logic.literals import show_bits
from logic.symbolic import SymbolicCircuit, first_use_order

MOST_ROWS = 10000


class Question:
    """What a table is about: the inputs that are free, the digits of all others, and the signals asked for."""

    def __init__(self, circuit, options):
        self.circuit = circuit
        scope = circuit.scope
        inputs = scope.of_kind("input")
        given = options.set_values({signal.name: len(signal.bits) for signal in inputs})
        self.signals = options.only_signals(scope)
        self.free = [signal for signal in inputs if signal.name not in given]
        self.fixed = {}
        for name, bits in given.items():
            self.fixed.update(zip(reversed(scope.signals[name].bits), bits))
        self.wanted = [bit for signal in self.signals for bit in reversed(signal.bits)]
        self.free_bits = [bit for signal in self.free for bit in reversed(signal.bits)]

    def solve(self, order):
        """The values of the wanted gates, with variables in this order."""
        levels = {gate: level for level, gate in enumerate(order)}
        diagrams = Diagrams()
        symbolic = SymbolicCircuit(diagrams, self.circuit, self.fixed, levels, self.wanted)
        return diagrams, [symbolic.values[gate] for gate in self.wanted]


def table(circuit, options):
    """The lines of the shortest table that decides inputs in their order."""
    question = Question(circuit, options)
    _, values = question.solve(question.free_bits)
    tree = DecisionTree()
    state = tuple(side for value in values for side in value)
    rows = tree.rows(state)
    if rows > MOST_ROWS:
        raise CommandError([f"error rows {rows}"], WRONG_CALL)
    return [render(question, path, leaf) for path, leaf in tree.paths(state)]


class DecisionTree:
    """Decides several functions at once, variable by variable."""

    def __init__(self):
        self.known = {}

    def level(self, state):
        return min((function.level for function in state if function.low), default=None)

    def branches(self, state, level):
        return tuple(f.low_at(level) for f in state), tuple(f.high_at(level) for f in state)

    def rows(self, state):
        count = self.known.get(state)
        if count is None:
            level = self.level(state)
            count = 1 if level is None else sum(map(self.rows, self.branches(state, level)))
            self.known[state] = count
        return count

    def paths(self, state, path=()):
        """Each path as pairs of a level and a digit, with the state at its end."""
        level = self.level(state)
        if level is None:
            yield dict(path), state
            return
        for digit, branch in zip("01", self.branches(state, level)):
            yield from self.paths(branch, (*path, (level, digit)))


def render(question, path, leaf):
    inputs = iter([path.get(level, "-") for level in range(len(question.free_bits))])
    outputs = iter([digit(*pair) for pair in zip(leaf[::2], leaf[1::2])])
    left = show_signals(question.free, inputs)
    return " ".join([*left, "->", *show_signals(question.signals, outputs)])


def show_signals(signals, digits):
    return [f"{signal.name}={show_bits(''.join(next(digits) for _ in signal.bits))}" for signal in signals]


def digit(one, zero):
    """The digit of a gate that is decided."""
    true = one.diagrams.true
    if one is true:
        return "x" if zero is true else "1"
    return "0"


def count(circuit, options):
    """For each bit, how often it is 0, 1 and unknown."""
    question = Question(circuit, options)
    order = first_use_order(circuit.network, question.free_bits, [bit for s in question.signals for bit in s.bits])
    diagrams, values = question.solve(order)
    counter = Counter(diagrams, len(question.free_bits))
    names = [signal.bit_name(index) for signal in question.signals for index in reversed(range(len(signal.bits)))]
    lines = []
    for name, (one, zero) in zip(names, values):
        unknown = counter.count(one & zero)
        lines.append(f"{name} {counter.count(zero) - unknown} {counter.count(one) - unknown} {unknown}")
    return lines


class Counter:
    """Counts the assignments of so many variables that make functions true."""

    def __init__(self, diagrams, variables):
        self.variables = variables
        self.weights = {diagrams.false: 0, diagrams.true: 1 << variables}

    def count(self, function):
        weight = self.weights.get(function)
        if weight is None:
            weight = (self.count(function.low) + self.count(function.high)) // 2
            self.weights[function] = weight
        return weight
