"""Lines with the values of inputs."""

from logic.literals import parse_value
from logic.tokens import is_name


class VectorError(Exception):
    def __init__(self, code, detail):
        super().__init__(code, detail)
        self.line = f"error {code} {detail}"


def parse_vector(words, inputs):
    """The bits of each input, from words `name=value`; `inputs` has their widths in the order of declaration."""
    values = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not is_name(name):
            raise VectorError("word", word)
        if name not in inputs:
            raise VectorError("unknown", name)
        if name in values:
            raise VectorError("repeated", name)
        values[name] = parse_value(value, inputs[name])
        if values[name] is None:
            raise VectorError("value", name)
    for name in inputs:
        if name not in values:
            raise VectorError("missing", name)
    return values
