"""Lines with the values of inputs."""

from logic.tokens import CONSTANTS, is_name


class VectorError(Exception):
    def __init__(self, code, detail):
        super().__init__(code, detail)
        self.line = f"error {code} {detail}"


def parse_vector(words, inputs):
    """The value of each input, from words `name=value`; `inputs` is in the order of declaration."""
    values = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not is_name(name):
            raise VectorError("word", word)
        if name not in inputs:
            raise VectorError("unknown", name)
        if name in values:
            raise VectorError("repeated", name)
        if value not in CONSTANTS:
            raise VectorError("value", name)
        values[name] = value
    for name in inputs:
        if name not in values:
            raise VectorError("missing", name)
    return values
