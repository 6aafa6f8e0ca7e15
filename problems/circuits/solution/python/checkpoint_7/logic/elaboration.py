"""From an expression to the gates that evaluate it."""

from logic import operations
from logic.functions import FUNCTIONS
from logic.words import WordGates


class Elaborator:
    """Adds expressions to a network; a word is None if an error leaves it without a width."""

    def __init__(self, network, scope, problems):
        self.gates = WordGates(network)
        self.scope = scope
        self.problems = problems
        self.by_operator = {
            "constant": self.constant,
            "signal": self.signal,
            "part": self.part,
            "repeat": self.repeat,
        }

    def word(self, steps):
        """The word that an expression gives."""
        stack = []
        for step in steps:
            first = len(stack) - step.count
            words = stack[first:]
            del stack[first:]
            stack.append(self.by_operator.get(step.operator, self.operation)(step, words))
        return stack[0]

    def mentioned(self, steps):
        """All bits of all signals that an expression mentions."""
        names = dict.fromkeys(step.detail for step in steps if step.operator == "signal")
        signals = [self.scope.find(name) for name in names]
        return [bit for signal in signals if signal and signal.bits for bit in signal.bits]

    def constant(self, step, _words):
        return self.gates.constant(step.detail)

    def signal(self, step, _words):
        signal = self.scope.find(step.detail)
        if signal is None:
            self.problems.add(step.position, "undefined", step.detail)
            return None
        return signal.bits

    def part(self, step, words):
        part, word = self.scope.numbers.slice(step.detail), words[0]
        if part is None or word is None:
            return None
        if not part.fits(len(word)):
            self.problems.add(step.position, "range", part, len(word))
            return None
        return word[part.low : part.high + 1]

    def repeat(self, step, words):
        times = self.scope.numbers.size(step.detail)
        return None if words[0] is None or times is None else words[0] * times

    def operation(self, step, words):
        function = FUNCTIONS.get(step.operator)
        if function and not function.takes(step.count):
            self.problems.add(step.position, "arity", step.operator)
            return None
        if None in words:
            return None
        widths = [len(word) for word in words]
        if not operations.widths_match(step.operator, widths):
            self.problems.add(step.position, "width", *widths)
            return None
        return operations.apply(self.gates, step.operator, words)
