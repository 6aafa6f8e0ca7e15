"""The command `equiv`: whether two circuits do the same, and where not."""

from logic.columns import column, digits_of
from logic.diagrams import Diagrams
from logic.errors import DIFFERENT, WRONG_CALL, CommandError
from logic.simulation import simulate
from logic.symbolic import SymbolicCircuit, first_use_order
from logic.tables import show_signals


class Side:
    """One of the two circuits, with its signals in the order of the first one's."""

    def __init__(self, circuit, inputs, outputs):
        self.circuit = circuit
        signals = circuit.scope.signals
        self.inputs = [signals[signal.name] for signal in inputs]
        self.outputs = [signals[signal.name] for signal in outputs]
        self.input_bits = bits_from_highest(self.inputs)
        self.output_bits = bits_from_highest(self.outputs)

    def order(self, also):
        """Places of input bits, in the order in which the outputs' lower bits come to need them."""
        wanted = [bit for signal in self.outputs for bit in signal.bits] + also
        places = {gate: place for place, gate in enumerate(self.input_bits)}
        return [places[gate] for gate in first_use_order(self.circuit.network, self.input_bits, wanted)]

    def functions(self, diagrams, levels, also=()):
        levels = {self.input_bits[place]: level for place, level in levels.items()}
        wanted = [*self.output_bits, *also]
        values = SymbolicCircuit(diagrams, self.circuit, {}, levels, wanted).values
        return [values[gate] for gate in wanted]

    def show(self, digits):
        """The inputs and outputs, as lines, for these digits of the inputs."""
        given = {gate: column(digit) for gate, digit in zip(self.input_bits, digits)}
        values = simulate(self.circuit, given, 1, 0)
        results = (digits_of(values[gate], 1) for gate in self.output_bits)
        return " ".join(show_signals(self.inputs, iter(digits))), " ".join(show_signals(self.outputs, results))


def bits_from_highest(signals):
    return [bit for signal in signals for bit in reversed(signal.bits)]


def compare(first, second, options):
    check_interfaces(first.scope, second.scope)
    inputs, outputs = first.scope.of_kind("input"), first.scope.of_kind("output")
    sides = Side(first, inputs, outputs), Side(second, inputs, outputs)
    difference = Difference(sides, options.assumed_bits(first.scope), options.has("--refine"))
    digits = difference.first_case()
    if digits is None:
        return ["equal"], 0
    given, expected = sides[0].show(digits)
    return ["different", given, expected, sides[1].show(digits)[1]], DIFFERENT


def check_interfaces(first, second):
    for one, other in ((first, second), (second, first)):
        for kind in ("input", "output"):
            for signal in one.of_kind(kind):
                twin = other.signals.get(signal.name)
                if twin is None or twin.kind != kind or len(twin.bits) != len(signal.bits):
                    raise CommandError([f"error interface {signal.name}"], WRONG_CALL)


class Difference:
    """Where two circuits differ, as a function of their inputs."""

    def __init__(self, sides, assumed, refine):
        self.diagrams = Diagrams()
        order = dict.fromkeys(sides[0].order(assumed) + sides[1].order([]))
        order.update(dict.fromkeys(range(len(sides[0].input_bits))))
        self.levels = {place: level for level, place in enumerate(order)}
        values = sides[0].functions(self.diagrams, self.levels, assumed)
        others = sides[1].functions(self.diagrams, self.levels)
        mismatch = self.not_refined if refine else self.not_equal
        self.function = self.diagrams.false
        for value, other in zip(values, others):
            self.function |= mismatch(value, other)
        for one, zero in values[len(others) :]:
            self.function &= one & ~zero

    def not_equal(self, value, other):
        return value[0] ^ other[0] | value[1] ^ other[1]

    def not_refined(self, value, other):
        return ~value[1] & other[1] | ~value[0] & other[0]

    def first_case(self):
        """The digits of the input bits, from the highest of the first input, or None if there is no difference."""
        function = self.function
        if function is self.diagrams.false:
            return None
        digits = []
        for _, level in sorted(self.levels.items()):
            low = self.diagrams.restriction(function, level, 0)
            digits.append("1" if low is self.diagrams.false else "0")
            function = self.diagrams.restriction(function, level, 1) if digits[-1] == "1" else low
        return "".join(digits)
