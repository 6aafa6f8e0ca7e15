"""From a formula's tree to its value."""

from sheets import operators
from sheets.functions import FUNCTIONS
from sheets.nodes import Binary, Call, Literal, Name, Percent, Prefix, Reference
from sheets.numbers import ZERO
from sheets.values import Error


class Evaluator:
    def __init__(self, value_of):
        """`value_of` gives the value of any cell that a formula refers to."""
        self.value_of = value_of

    def result(self, node):
        """The value of a cell with this formula."""
        value = self.evaluate(node)
        return ZERO if value is None else value

    def evaluate(self, node):
        match node:
            case Literal(value):
                return value
            case Reference(cell):
                return self.value_of(cell)
            case Name():
                return Error.NAME
            case Prefix(operator, operand):
                return operators.prefix(operator, self.evaluate(operand))
            case Percent(operand):
                return operators.percent(self.evaluate(operand))
            case Binary(operator, left, right):
                return operators.binary(operator, self.evaluate(left), self.evaluate(right))
            case Call(name, arguments):
                return self.call(name, arguments)
        raise TypeError(node)

    def call(self, name, arguments):
        function = FUNCTIONS.get(name)
        if function is None:
            return Error.NAME
        return function.apply(self.evaluate, *arguments)
