"""Evaluates a circuit for many vectors at once: bit `i` of an integer belongs to vector `i`."""


def conjunction(_ones, first, *others):
    for value in others:
        first &= value
    return first


def disjunction(_ones, first, *others):
    for value in others:
        first |= value
    return first


def parity(_ones, first, *others):
    for value in others:
        first ^= value
    return first


def majority(ones, *values):
    """Where more than half of the values are 1, by where at least 0, 1, 2 and so on of those seen are."""
    at_least = [ones] + [0] * (len(values) // 2 + 1)
    for value in values:
        for number in range(len(at_least) - 1, 0, -1):
            at_least[number] |= at_least[number - 1] & value
    return at_least[-1]


GATES = {
    "0": lambda ones: 0,
    "1": lambda ones: ones,
    "wire": lambda ones, a: a,
    "not": lambda ones, a: ones ^ a,
    "and": conjunction,
    "or": disjunction,
    "xor": parity,
    "mux": lambda ones, s, a, b: (s & a) | ((ones ^ s) & b),
    "maj": majority,
}


def simulate(circuit, columns, count):
    """The values of all gates, from those of the inputs (name: integer) in `count` vectors."""
    ones = (1 << count) - 1
    kinds, inputs = circuit.network.kinds, circuit.network.inputs
    values = [0] * len(kinds)
    for name, column in columns.items():
        values[circuit.signals[name]] = column
    for gate in circuit.order:
        kind = kinds[gate]
        if kind != "input":
            values[gate] = GATES[kind](ones, *[values[source] for source in inputs[gate]])
    return values
