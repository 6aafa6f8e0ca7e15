"""Lines with the values of inputs."""

from logic.literals import parse_value
from logic.tokens import is_name


class VectorError(Exception):
    def __init__(self, code, detail):
        super().__init__(code, detail)
        self.line = f"error {code} {detail}"


def split_words(line):
    return [word for word in line.replace("\t", " ").replace("\r", " ").split(" ") if word]


def parse_vector(words, widths):
    """The bits of each input, from words `name=value`; `widths` are the inputs' in the order of declaration."""
    values = parse_words(words, widths)
    for name in widths:
        if name not in values:
            raise VectorError("missing", name)
    return values


def parse_words(words, widths):
    """The bits of those inputs that have a word."""
    values = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not is_name(name):
            raise VectorError("word", word)
        if name not in widths:
            raise VectorError("unknown", name)
        if name in values:
            raise VectorError("repeated", name)
        values[name] = parse_value(value, widths[name])
        if values[name] is None:
            raise VectorError("value", name)
    return values


def lines_of_words(text):
    """The words of each line that counts."""
    for line in text.split("\n"):
        words = split_words(line)
        if words and not words[0].startswith("#"):
            yield words


def read_vectors(widths, text):
    """The vectors of a text, and for each of its lines that counts an error, or None for a vector."""
    vectors, answers = [], []
    for words in lines_of_words(text):
        try:
            vectors.append(parse_vector(words, widths))
            answers.append(None)
        except VectorError as error:
            answers.append(error.line)
    return vectors, answers
