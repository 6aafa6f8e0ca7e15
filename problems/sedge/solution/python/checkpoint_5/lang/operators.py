"""The operators on values."""

from lang import numbers
from lang.equality import equal
from lang.errors import Failure
from lang.kinds import is_number
from lang.sizes import check_size


def arithmetic(operation):
    """An operator that takes numbers."""

    def apply(left, right):
        if not type(left) is type(right) is int and not (is_number(left) and is_number(right)):
            raise Failure("type")
        return operation(left, right)

    return apply


def ordering(operation):
    """An operator that takes two numbers or two texts."""

    def apply(left, right):
        alike = type(left) is type(right) and type(left) in (int, str)
        if not alike and not (is_number(left) and is_number(right)):
            raise Failure("type")
        return operation(left, right)

    return apply


def join(left, right):
    if type(left) is not type(right) or type(left) not in (str, list):
        raise Failure("type")
    check_size(len(left) + len(right))
    return left + right


def negate(value):
    if not is_number(value):
        raise Failure("type")
    return -value


def invert(value):
    return not boolean(value)


def boolean(value):
    if type(value) is not bool:
        raise Failure("type")
    return value


BINARY = {
    "+": arithmetic(numbers.add),
    "-": arithmetic(numbers.subtract),
    "*": arithmetic(numbers.multiply),
    "/": arithmetic(numbers.divide),
    "//": arithmetic(numbers.floor_divide),
    "%": arithmetic(numbers.modulo),
    "**": arithmetic(numbers.power),
    "++": join,
    "<": ordering(lambda left, right: left < right),
    "<=": ordering(lambda left, right: left <= right),
    ">": ordering(lambda left, right: left > right),
    ">=": ordering(lambda left, right: left >= right),
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
}
UNARY = {"-": negate, "not": invert}

