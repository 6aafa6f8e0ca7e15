"""The command `eval`: vectors in, values of outputs out."""

from logic.errors import WRONG_CALL, CommandError
from logic.simulation import simulate
from logic.vectors import VectorError, parse_vector


def split_words(line):
    return line.replace("\t", " ").replace("\r", " ").split(" ")


def evaluate(circuit, shown, text):
    """The answers to the lines of a text, and whether all of them are values."""
    for name in shown:
        if name not in circuit.signals:
            raise CommandError([f"error show {name}"], WRONG_CALL)
    vectors, answers = read_vectors(circuit, text)
    columns = {name: column([vector[name] for vector in vectors]) for name in circuit.inputs}
    values = simulate(circuit, columns, len(vectors))
    rows = render([*circuit.outputs, *shown], circuit, values, len(vectors))
    fine = all(answer is None for answer in answers)
    rows = iter(rows)
    return [next(rows) if answer is None else answer for answer in answers], fine


def read_vectors(circuit, text):
    """The vectors of a text, and for each of its lines that counts an error, or None for a vector."""
    inputs = dict.fromkeys(circuit.inputs)
    vectors, answers = [], []
    for line in text.split("\n"):
        words = [word for word in split_words(line) if word]
        if not words or words[0].startswith("#"):
            continue
        try:
            vectors.append(parse_vector(words, inputs))
            answers.append(None)
        except VectorError as error:
            answers.append(error.line)
    return vectors, answers


def column(digits):
    """The integer whose bit `i` is digit `i`."""
    return int("".join(reversed(digits)) or "0", 2)


def render(names, circuit, values, count):
    """One line per vector."""
    columns = []
    for name in names:
        digits = format(values[circuit.signals[name]], f"0{count}b")[::-1]
        columns.append([f"{name}={digit}" for digit in digits])
    return [" ".join(row) for row in zip(*columns)] if columns else [""] * count
