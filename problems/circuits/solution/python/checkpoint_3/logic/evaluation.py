"""The command `eval`: vectors in, values of outputs out."""

from logic.errors import WRONG_CALL, CommandError
from logic.literals import show_bits
from logic.simulation import simulate
from logic.vectors import VectorError, parse_vector


def split_words(line):
    return [word for word in line.replace("\t", " ").replace("\r", " ").split(" ") if word]


def evaluate(circuit, shown, text):
    """The answers to the lines of a text, and whether all of them are values."""
    scope = circuit.scope
    for name in shown:
        if scope.at(name) is None:
            raise CommandError([f"error show {name}"], WRONG_CALL)
    inputs = scope.of_kind("input")
    vectors, answers = read_vectors({signal.name: len(signal.bits) for signal in inputs}, text)
    columns = {}
    for signal in inputs:
        columns.update(zip(signal.bits, transposed([vector[signal.name] for vector in vectors], len(signal.bits))))
    values = simulate(circuit, columns, len(vectors))
    signals = [*scope.of_kind("output"), *(scope.at(name) for name in shown)]
    rows = iter(render(signals, values, len(vectors)))
    fine = all(answer is None for answer in answers)
    return [next(rows) if answer is None else answer for answer in answers], fine


def read_vectors(widths, text):
    """The vectors of a text, and for each of its lines that counts an error, or None for a vector."""
    vectors, answers = [], []
    for line in text.split("\n"):
        words = split_words(line)
        if not words or words[0].startswith("#"):
            continue
        try:
            vectors.append(parse_vector(words, widths))
            answers.append(None)
        except VectorError as error:
            answers.append(error.line)
    return vectors, answers


def transposed(rows, width):
    """For each bit of a word, the lowest first, the integer whose bit `i` is its digit in row `i`."""
    if not rows:
        return [0] * width
    columns = ["".join(digits) for digits in zip(*reversed(rows))]
    return [int(column, 2) for column in reversed(columns)]


def render(signals, values, count):
    """One line per vector."""
    if not signals:
        return [""] * count
    columns = []
    for signal in signals:
        digits = [format(values[bit], f"0{count}b")[::-1] for bit in reversed(signal.bits)]
        columns.append([f"{signal.name}={show_bits(''.join(bits))}" for bits in zip(*digits)])
    return [" ".join(row) for row in zip(*columns)]
