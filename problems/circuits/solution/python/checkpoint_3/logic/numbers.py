"""Numbers that depend on parameters."""

LARGEST_SIZE = 4096


class Slice:
    def __init__(self, high, low):
        self.high = high
        self.low = low

    def __str__(self):
        return str(self.low) if self.high == self.low else f"{self.high}:{self.low}"

    def fits(self, width):
        return self.low <= self.high < width


class NumberEvaluator:
    """Evaluates numbers with certain parameters; what cannot be is None."""

    def __init__(self, parameters, problems):
        self.parameters = parameters
        self.problems = problems

    def value(self, number):
        total = 0
        for sign, factors in number.terms:
            for factor in factors:
                value = self.factor(factor)
                sign = None if sign is None or value is None else sign * value
            total = None if total is None or sign is None else total + sign
        return total

    def factor(self, factor):
        if isinstance(factor, int):
            return factor
        if factor.name not in self.parameters:
            self.problems.add(factor.position, "undefined", factor.name)
            return None
        return self.parameters[factor.name]

    def size(self, number):
        return self.within(number, 1, LARGEST_SIZE)

    def index(self, number):
        return self.within(number, 0, LARGEST_SIZE - 1)

    def within(self, number, least, most):
        value = self.value(number)
        if value is not None and not least <= value <= most:
            self.problems.add(number.position, "number", value)
            return None
        return value

    def slice(self, part):
        high = self.index(part.high)
        low = high if part.low is part.high else self.index(part.low)
        return None if high is None or low is None else Slice(high, low)
