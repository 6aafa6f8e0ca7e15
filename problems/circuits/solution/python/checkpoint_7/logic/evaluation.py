"""The command `eval`: vectors in, values of outputs out."""

from logic.columns import column, digits_of, gate_digits
from logic.literals import show_bits
from logic.simulation import simulate
from logic.vectors import read_vectors


def evaluate(circuit, options, text):
    """The answers to the lines of a text, and whether all of them are values."""
    scope = circuit.scope
    signals = [*scope.of_kind("output"), *options.signals("--show", scope)]
    inputs = scope.of_kind("input")
    vectors, answers = read_vectors({signal.name: len(signal.bits) for signal in inputs}, text)
    wanted = list(dict.fromkeys(bit for signal in signals for bit in signal.bits))
    digits = wanted_digits(circuit, gate_digits(inputs, vectors), len(vectors), wanted, options.has("--exact"))
    rows = iter(render(signals, digits, len(vectors)))
    fine = all(answer is None for answer in answers)
    return [next(rows) if answer is None else answer for answer in answers], fine


def wanted_digits(circuit, given, count, wanted, exact):
    if exact:
        from logic.exactness import simulate_exactly

        return simulate_exactly(circuit, given, count, wanted)
    values = simulate(circuit, {gate: column(digits) for gate, digits in given.items()}, (1 << count) - 1, 0)
    return {gate: digits_of(values[gate], count) for gate in wanted}


def render(signals, digits, count):
    """One line per vector."""
    if not signals:
        return [""] * count
    columns = []
    for signal in signals:
        words = zip(*(digits[bit] for bit in reversed(signal.bits)))
        columns.append([f"{signal.name}={show_bits(''.join(word))}" for word in words])
    return [" ".join(row) for row in zip(*columns)]
