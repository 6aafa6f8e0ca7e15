"""The command `run`: a circuit over cycles of its clock."""

from logic.columns import column, digits_of
from logic.literals import show_bits
from logic.simulation import simulate
from logic.vectors import VectorError, lines_of_words, parse_words


class Run:
    """A circuit in one cycle after the other, and what it answers."""

    def __init__(self, circuit, shown):
        self.circuit = circuit
        scope = circuit.scope
        self.inputs = scope.of_kind("input")
        self.answered = [*scope.of_kind("output"), *shown]
        self.needed = circuit.network.feeding([bit for s in self.answered for bit in s.bits], circuit.registers)
        self.digits = {signal.name: "x" * len(signal.bits) for signal in self.inputs}
        self.state = {}
        self.answers = []
        self.wave = Wave()

    def play(self, text):
        """Answers each line; whether all of them are cycles."""
        fine = True
        widths = {name: len(digits) for name, digits in self.digits.items()}
        for words in lines_of_words(text):
            try:
                self.digits.update(parse_words(words, widths))
            except VectorError as error:
                self.answers.append(error.line)
                fine = False
            else:
                self.cycle()
        return fine

    def cycle(self):
        given = dict(self.state)
        for signal in self.inputs:
            given.update(zip(reversed(signal.bits), map(column, self.digits[signal.name])))
        values = simulate(self.circuit, given, 1, 0, self.needed)
        registers = self.circuit.registers
        self.state = {gate: values[source] for gate, source in registers.items() if gate in self.needed}
        shown = [self.show(signal, values) for signal in self.answered]
        self.answers.append(" ".join(shown))
        self.wave.add([*(self.show(signal, values) for signal in self.inputs), *shown])

    def show(self, signal, values):
        return f"{signal.name}={show_bits(''.join(digits_of(values[bit], 1) for bit in reversed(signal.bits)))}"


class Wave:
    """The changes of signals over time."""

    def __init__(self):
        self.cycles = 0
        self.last = []
        self.changes = []

    def add(self, shown):
        changed = [text for place, text in enumerate(shown) if self.last[place : place + 1] != [text]]
        if changed:
            self.changes.extend([f"#{self.cycles}", *dict.fromkeys(changed)])
        self.last = shown
        self.cycles += 1

    def lines(self):
        return [*self.changes, f"#{self.cycles}"]
