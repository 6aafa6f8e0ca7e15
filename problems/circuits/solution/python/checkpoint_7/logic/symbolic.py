"""Gates as functions of the bits of inputs."""

from logic.simulation import simulate


class Unrolled:
    """A circuit's values in one cycle after the other."""

    def __init__(self, diagrams, circuit, wanted):
        self.diagrams = diagrams
        self.circuit = circuit
        self.needed = circuit.network.feeding(wanted, circuit.registers)
        self.state = {}

    def step(self, levels):
        """The values in the next cycle, with the levels of the inputs' variables in it."""
        true, false = self.diagrams.true, self.diagrams.false
        given = dict(self.state)
        for gate, level in levels.items():
            given[gate] = (self.diagrams.variable(level), self.diagrams.node(level, true, false))
        values = simulate(self.circuit, given, true, false, self.needed)
        registers = self.circuit.registers
        self.state = {gate: values[source] for gate, source in registers.items() if gate in self.needed}
        return values


class SymbolicCircuit:
    """The values of certain gates, each a pair of functions: where it can be 1, and where it can be 0."""

    def __init__(self, diagrams, circuit, fixed, levels, wanted):
        """`fixed` has digits of gates, `levels` the places of other gates in the order of variables."""
        true, false = diagrams.true, diagrams.false
        digits = {"0": (false, true), "1": (true, false), "x": (true, true)}
        given = {gate: digits[digit] for gate, digit in fixed.items()}
        for gate, level in levels.items():
            given[gate] = (diagrams.variable(level), diagrams.node(level, true, false))
        self.values = simulate(circuit, given, true, false, circuit.network.feeding(wanted))


def first_use_order(network, inputs, wanted, registers=None):
    """The inputs that wanted gates depend on, also through registers, in the order in which a search finds them."""
    found, seen, inputs = [], set(), set(inputs)
    pending = list(reversed(wanted))
    while pending:
        gate = pending.pop()
        if gate not in seen:
            seen.add(gate)
            if gate in inputs:
                found.append(gate)
            pending.extend(reversed(network.inputs[gate]))
            if registers and gate in registers:
                pending.append(registers[gate])
    return found
