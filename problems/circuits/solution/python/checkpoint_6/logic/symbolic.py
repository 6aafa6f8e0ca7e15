"""Gates as functions of the bits of inputs."""

from logic.simulation import simulate


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
