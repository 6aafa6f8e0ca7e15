"""The options of the commands."""

from logic.errors import WRONG_CALL, CommandError
from logic.vectors import VectorError, parse_words


def signal_at(path, scope):
    signal = scope.at(path)
    if signal is None:
        raise CommandError([f"error show {path}"], WRONG_CALL)
    return signal


class Options:
    """Options that each stand at most once, in a fixed order."""

    def __init__(self, words, with_value=(), flags=()):
        self.values = {}
        for name in with_value:
            if words[:1] == [name] and len(words) > 1:
                self.values[name] = words[1]
                words = words[2:]
        for name in flags:
            if words[:1] == [name]:
                self.values[name] = True
                words = words[1:]
        if words:
            raise CommandError(["error usage"], WRONG_CALL)

    def has(self, name):
        return name in self.values

    def signals(self, name, scope):
        """The signals at the paths that an option lists."""
        return [signal_at(path, scope) for path in self.paths(name)]

    def paths(self, name):
        return self.values[name].split(",") if name in self.values else []

    def assumed_bits(self, scope):
        """The signals of one bit that `--assume` lists."""
        bits = []
        for path in self.paths("--assume"):
            signal = signal_at(path, scope)
            if len(signal.bits) > 1:
                raise CommandError([f"error assume {path}"], WRONG_CALL)
            bits.extend(signal.bits)
        return bits

    def only_signals(self, scope):
        return self.signals("--only", scope) if self.has("--only") else scope.of_kind("output")

    def set_values(self, widths):
        """The bits of the inputs that `--set` gives."""
        try:
            return parse_words(self.values["--set"].split(","), widths) if self.has("--set") else {}
        except VectorError as error:
            raise CommandError([error.line], WRONG_CALL) from None
