"""The command `optimise`: the circuit with the fewest choices between bits of inputs."""

from logic.errors import WRONG_CALL, CommandError
from logic.ordering import best_order
from logic.tables import Question, digit

CONSTANTS = {"0": "0", "1": "1", "x": "0bx"}


def optimise(circuit, options):
    """How many choices there are, and the lines of a netlist of them."""
    if circuit.registers:
        raise CommandError(["error registers"], WRONG_CALL)
    question = Question(circuit, options)
    order = best_order(question) if options.has("--best") else question.free_bits
    _, values = question.solve(order)
    writer = Writer(question, [bit_names(question)[gate] for gate in order])
    outputs = [writer.value(state) for state in values]
    lines = [*declarations("input", question.free), *declarations("output", question.signals), *writer.lines]
    names = (signal.bit_name(index) for signal in question.signals for index in reversed(range(len(signal.bits))))
    lines.extend(f"{name} = {value};" for name, value in zip(names, outputs))
    return len(writer.lines), lines


def bit_names(question):
    return {gate: signal.bit_name(index) for signal in question.free for index, gate in enumerate(signal.bits)}


def declarations(kind, signals):
    if not signals:
        return []
    words = (signal.name if len(signal.bits) == 1 else f"{signal.name}[{len(signal.bits)}]" for signal in signals)
    return [f"{kind} {', '.join(words)};"]


class Writer:
    """Writes one assignment for each choice."""

    def __init__(self, question, inputs):
        self.inputs = inputs  # names by level
        self.taken = {signal.name for signal in (*question.free, *question.signals)}
        self.number = 0
        self.known = {}
        self.lines = []

    def value(self, state):
        """What stands for a pair of functions in an expression; writes all that it needs first."""
        if state not in self.known:
            self.known[state] = self.choice(state)
        return self.known[state]

    def choice(self, state):
        level = min(function.level for function in state)
        if level >= len(self.inputs):
            return CONSTANTS[digit(*state)]
        low = self.value(tuple(function.low_at(level) for function in state))
        high = self.value(tuple(function.high_at(level) for function in state))
        name = self.next_name()
        self.lines.append(f"{name} = {self.inputs[level]} ? {high} : {low};")
        return name

    def next_name(self):
        self.number += 1
        while f"c{self.number}" in self.taken:
            self.number += 1
        return f"c{self.number}"
