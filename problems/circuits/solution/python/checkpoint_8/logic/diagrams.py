"""Reduced ordered binary decision diagrams."""

END = 1 << 30  # the level of the two constants


class Diagrams:
    """Functions of numbered variables; equal functions are the same object."""

    def __init__(self):
        self.false = Function(self, END, None, None)
        self.true = Function(self, END, None, None)
        self.unique = {}
        self.conjunctions = {}
        self.disjunctions = {}
        self.negations = {self.false: self.true, self.true: self.false}

    def variable(self, level):
        return self.node(level, self.false, self.true)

    def node(self, level, low, high):
        if low is high:
            return low
        key = (level, low, high)
        function = self.unique.get(key)
        if function is None:
            function = self.unique[key] = Function(self, level, low, high)
        return function

    def conjunction(self, first, second):
        if first is second or second is self.true:
            return first
        if first is self.true:
            return second
        if first is self.false or second is self.false:
            return self.false
        return self.combined(self.conjunctions, self.conjunction, first, second)

    def disjunction(self, first, second):
        if first is second or second is self.false:
            return first
        if first is self.false:
            return second
        if first is self.true or second is self.true:
            return self.true
        return self.combined(self.disjunctions, self.disjunction, first, second)

    def negation(self, function):
        result = self.negations.get(function)
        if result is None:
            result = self.node(function.level, self.negation(function.low), self.negation(function.high))
            self.negations[function] = result
        return result

    def restriction(self, function, level, digit):
        """The function with a variable being 0 or 1."""
        known = {}

        def restrict(function):
            if function.level >= level:
                return (function.low, function.high)[digit] if function.level == level else function
            if function not in known:
                known[function] = self.node(function.level, restrict(function.low), restrict(function.high))
            return known[function]

        return restrict(function)

    def combined(self, known, operation, first, second):
        key = (first, second) if id(first) < id(second) else (second, first)
        result = known.get(key)
        if result is None:
            level = min(first.level, second.level)
            low = operation(first.low_at(level), second.low_at(level))
            high = operation(first.high_at(level), second.high_at(level))
            result = known[key] = self.node(level, low, high)
        return result


class Function:
    """A node of a diagram, and the function that it stands for."""

    __slots__ = ("diagrams", "level", "low", "high")

    def __init__(self, diagrams, level, low, high):
        self.diagrams = diagrams
        self.level = level
        self.low = low
        self.high = high

    def __and__(self, other):
        return self.diagrams.conjunction(self, other)

    def __or__(self, other):
        return self.diagrams.disjunction(self, other)

    def __invert__(self):
        return self.diagrams.negation(self)

    def __xor__(self, other):
        if self is other:
            return self.diagrams.false
        return self & ~other | ~self & other

    def low_at(self, level):
        return self.low if self.level == level else self

    def high_at(self, level):
        return self.high if self.level == level else self
