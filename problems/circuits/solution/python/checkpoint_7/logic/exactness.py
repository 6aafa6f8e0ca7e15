"""What gates are for all values that unknown bits can have."""

from logic.columns import column, digits_of
from logic.diagrams import Diagrams
from logic.simulation import simulate
from logic.symbolic import SymbolicCircuit, first_use_order

MOST_EXPANDED = 12


def simulate_exactly(circuit, digits, count, wanted):
    """The digits of the wanted gates in `count` vectors, from those of the inputs."""
    free = [gate for gate, kind in enumerate(circuit.network.kinds) if kind == "x"]
    digits = digits | {gate: "x" * count for gate in free}
    few, many = [], []
    for place in range(count):
        unknown = sum(row[place] == "x" for row in digits.values())
        (few if unknown <= MOST_EXPANDED else many).append(place)
    picked = {gate: "".join(row[place] for place in few) for gate, row in digits.items()}
    rows = dict(zip(few, zip(*by_expansion(circuit, picked, len(few), wanted))))
    for place in many:
        rows[place] = by_diagrams(circuit, {gate: row[place] for gate, row in digits.items()}, wanted)
    return {gate: "".join(rows[place][number] for place in range(count)) for number, gate in enumerate(wanted)}


def by_diagrams(circuit, digits, wanted):
    """The digits of the wanted gates in one vector with many unknown bits."""
    unknown = [gate for gate, digit in digits.items() if digit == "x"]
    order = first_use_order(circuit.network, unknown, wanted)
    fixed = {gate: digit for gate, digit in digits.items() if digit != "x"}
    diagrams = Diagrams()
    levels = {gate: level for level, gate in enumerate(order)}
    values = SymbolicCircuit(diagrams, circuit, fixed, levels, wanted).values
    digit = {(diagrams.true, diagrams.false): "1", (diagrams.false, diagrams.true): "0"}
    return [digit.get(values[gate], "x") for gate in wanted]


def by_expansion(circuit, digits, count, wanted):
    """The digits of each of the wanted gates in `count` vectors with few unknown bits."""
    sizes = [1 << sum(row[place] == "x" for row in digits.values()) for place in range(count)]
    expanded = {gate: [] for gate in digits}
    for place in range(count):
        expand(digits, place, sizes[place], expanded)
    given = {gate: column("".join(parts)) for gate, parts in expanded.items()}
    values = simulate(circuit, given, (1 << sum(sizes)) - 1, 0)
    return [summary(digits_of(values[gate], sum(sizes)), sizes) for gate in wanted]


def expand(digits, place, size, expanded):
    """Appends the digits of all vectors for which the one at this place stands."""
    run = 1
    for gate, row in digits.items():
        if row[place] == "x":
            expanded[gate].append(("0" * run + "1" * run) * (size // run // 2))
            run *= 2
        else:
            expanded[gate].append(row[place] * size)


def summary(digits, sizes):
    """One digit for each of the vectors that stand for so many."""
    result, start = [], 0
    for size in sizes:
        seen = set(digits[start : start + size])
        result.append(seen.pop() if len(seen) == 1 else "x")
        start += size
    return "".join(result)
