"""Evaluates a circuit for many cases at once.

A value is a pair of sets of cases, those in which the gate can be 1, and those in which it can be 0. In cases of both,
it is unknown. Sets are anything with `&` and `|`: integers with a bit for each case, or functions of inputs.
"""

import operator


def conjunction(*values):
    one, zero = values[0]
    for can_be_one, can_be_zero in values[1:]:
        one, zero = one & can_be_one, zero | can_be_zero
    return one, zero


def disjunction(*values):
    one, zero = values[0]
    for can_be_one, can_be_zero in values[1:]:
        one, zero = one | can_be_one, zero & can_be_zero
    return one, zero


def parity(*values):
    one, zero = values[0]
    for can_be_one, can_be_zero in values[1:]:
        one, zero = one & can_be_zero | zero & can_be_one, one & can_be_one | zero & can_be_zero
    return one, zero


def choice(select, first, second):
    one, zero = select
    return one & first[0] | zero & second[0], one & first[1] | zero & second[1]


def majority(*values):
    """Where more than half of the values can be one, and where they can be zero."""
    return tuple(more_than_half([value[side] for value in values]) for side in (0, 1))


def more_than_half(sets):
    """The cases that are in more than half of the sets, by those in at least 1, 2 and so on of the last ones."""
    at_least = [sets[-1]]
    for cases in reversed(sets[:-1]):
        more = [fewer & cases for fewer in at_least][: len(sets) // 2]
        at_least = [at_least[0] | cases, *map(operator.or_, at_least[1:], more), *more[len(at_least) - 1 :]]
    return at_least[-1]


GATES = {
    "wire": lambda a: a,
    "not": lambda a: (a[1], a[0]),
    "and": conjunction,
    "or": disjunction,
    "xor": parity,
    "mux": choice,
    "maj": majority,
}


def simulate(circuit, given, everything, nothing, wanted=None):
    """The values of all gates, or of those wanted and all that feed them.

    `given` has the values of inputs, and of others that are not evaluated.
    """
    unknown = (everything, everything)
    constants = {"0": (nothing, everything), "1": (everything, nothing)}
    kinds, inputs = circuit.network.kinds, circuit.network.inputs
    values = [constants.get(kind, unknown) for kind in kinds]
    for gate, value in given.items():
        values[gate] = value
    for group in circuit.groups:
        changed = True
        while changed:
            changed = False
            for gate in group:
                if kinds[gate] in GATES and (wanted is None or gate in wanted):
                    value = GATES[kinds[gate]](*[values[source] for source in inputs[gate]])
                    changed = changed or value != values[gate]
                    values[gate] = value
            changed = changed and len(group) > 1
    return values
