"""What gates are for all values that unknown bits can have."""

from logic.columns import column, digits_of
from logic.simulation import simulate


def simulate_exactly(circuit, digits, count, wanted):
    """The digits of the wanted gates in `count` vectors, from those of the inputs."""
    free = [gate for gate, kind in enumerate(circuit.network.kinds) if kind == "x"]
    digits = digits | {gate: "x" * count for gate in free}
    sizes = [1 << sum(row[place] == "x" for row in digits.values()) for place in range(count)]
    expanded = {gate: [] for gate in digits}
    for place in range(count):
        expand(digits, place, sizes[place], expanded)
    given = {gate: column("".join(parts)) for gate, parts in expanded.items()}
    values = simulate(circuit, given, (1 << sum(sizes)) - 1, 0)
    return {gate: summary(digits_of(values[gate], sum(sizes)), sizes) for gate in wanted}


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
