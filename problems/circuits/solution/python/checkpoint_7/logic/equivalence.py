"""The command `equiv`: whether two circuits do the same, and where not."""

import re

from logic.columns import column, digits_of
from logic.diagrams import Diagrams
from logic.errors import DIFFERENT, WRONG_CALL, CommandError
from logic.simulation import simulate
from logic.symbolic import Unrolled, first_use_order
from logic.tables import show_signals

CYCLES = re.compile(r"[1-9][0-9]{0,2}")


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
        found = first_use_order(self.circuit.network, self.input_bits, wanted, self.circuit.registers)
        return [places[gate] for gate in found]

    def show(self, cycles):
        """The inputs of all cycles, a line each, and the outputs of the last, for these digits of the inputs."""
        state = {}
        for digits in cycles:
            given = state | {gate: column(digit) for gate, digit in zip(self.input_bits, digits)}
            values = simulate(self.circuit, given, 1, 0)
            state = {gate: values[source] for gate, source in self.circuit.registers.items()}
        results = (digits_of(values[gate], 1) for gate in self.output_bits)
        lines = [" ".join(show_signals(self.inputs, iter(digits))) for digits in cycles]
        return lines, " ".join(show_signals(self.outputs, results))


def bits_from_highest(signals):
    return [bit for signal in signals for bit in reversed(signal.bits)]


def compare(first, second, options):
    check_interfaces(first.scope, second.scope)
    assumed = options.assumed_bits(first.scope)
    inputs, outputs = first.scope.of_kind("input"), first.scope.of_kind("output")
    sides = Side(first, inputs, outputs), Side(second, inputs, outputs)
    difference = Difference(sides, assumed, options.has("--refine"))
    for _ in range(cycles_to_compare(options)):
        digits = difference.next_cycle()
        if digits is not None:
            given, expected = sides[0].show(digits)
            return ["different", *given, expected, sides[1].show(digits)[1]], DIFFERENT
    return ["equal"], 0


def cycles_to_compare(options):
    text = options.values.get("--cycles", "1")
    if not CYCLES.fullmatch(text):
        raise CommandError([f"error cycles {text}"], WRONG_CALL)
    return int(text)


def check_interfaces(first, second):
    for one, other in ((first, second), (second, first)):
        for kind in ("input", "output"):
            for signal in one.of_kind(kind):
                twin = other.signals.get(signal.name)
                if twin is None or twin.kind != kind or len(twin.bits) != len(signal.bits):
                    raise CommandError([f"error interface {signal.name}"], WRONG_CALL)


class Difference:
    """Where two circuits differ in one cycle after the other, as a function of their inputs until then."""

    def __init__(self, sides, assumed, refine):
        self.sides = sides
        self.assumed = assumed
        self.mismatch = self.not_refined if refine else self.not_equal
        self.diagrams = Diagrams()
        order = dict.fromkeys(sides[0].order(assumed) + sides[1].order([]))
        order.update(dict.fromkeys(range(len(sides[0].input_bits))))
        self.levels = {place: level for level, place in enumerate(order)}
        wanted = [*sides[0].output_bits, *assumed], sides[1].output_bits
        self.unrolled = [Unrolled(self.diagrams, side.circuit, bits) for side, bits in zip(sides, wanted)]
        self.allowed = self.diagrams.true
        self.cycles = 0

    def next_cycle(self):
        """The digits of each cycle's input bits in the first case of difference in the next cycle, or None."""
        start = self.cycles * len(self.levels)
        self.cycles += 1
        values, others = (
            unrolled.step({side.input_bits[place]: start + level for place, level in self.levels.items()})
            for unrolled, side in zip(self.unrolled, self.sides)
        )
        for gate in self.assumed:
            one, zero = values[gate]
            self.allowed &= one & ~zero
        function = self.diagrams.false
        for gate, other in zip(self.sides[0].output_bits, self.sides[1].output_bits):
            function |= self.mismatch(values[gate], others[other])
        return self.first_case(function & self.allowed)

    def not_equal(self, value, other):
        return value[0] ^ other[0] | value[1] ^ other[1]

    def not_refined(self, value, other):
        return ~value[1] & other[1] | ~value[0] & other[0]

    def first_case(self, function):
        """The digits of the input bits in each cycle, from the highest of the first input, or None for no case."""
        if function is self.diagrams.false:
            return None
        cycles = []
        for cycle in range(self.cycles):
            digits = []
            for _, level in sorted(self.levels.items()):
                level += cycle * len(self.levels)
                low = self.diagrams.restriction(function, level, 0)
                digits.append("1" if low is self.diagrams.false else "0")
                function = self.diagrams.restriction(function, level, 1) if digits[-1] == "1" else low
            cycles.append("".join(digits))
        return cycles
