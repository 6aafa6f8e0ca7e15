"""Gates as functions of the bits of inputs."""

from logic.diagrams import Diagrams
from logic.simulation import simulate


class SymbolicCircuit:
    """The values of certain gates, each a pair of functions: where it can be 1, and where it can be 0."""

    def __init__(self, circuit, fixed, levels, wanted):
        """`fixed` has digits of gates, `levels` the places of the other inputs in the order of variables."""
        self.diagrams = Diagrams()
        self.levels = levels
        true, false = self.diagrams.true, self.diagrams.false
        digits = {"0": (false, true), "1": (true, false), "x": (true, true)}
        given = {gate: digits[digit] for gate, digit in fixed.items()}
        for gate, level in levels.items():
            variable = self.diagrams.variable(level)
            given[gate] = (variable, self.diagrams.node(level, true, false))
        self.values = simulate(circuit, given, true, false, circuit.network.feeding(wanted))


def first_use_order(network, inputs, wanted):
    """The inputs that wanted gates depend on, in the order in which a search from these finds them."""
    found, seen, inputs = [], set(), set(inputs)
    pending = list(reversed(wanted))
    while pending:
        gate = pending.pop()
        if gate not in seen:
            seen.add(gate)
            if gate in inputs:
                found.append(gate)
            pending.extend(reversed(network.inputs[gate]))
    return found
