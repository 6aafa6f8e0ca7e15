"""The operators on values."""

from lang import numbers
from lang.errors import Failure
from lang.sizes import check_size
from lang.values import equal, is_number


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


def item_at(container, index):
    if type(container) not in (str, list):
        raise Failure("type")
    return container[checked_index(container, index)]


def put_at(container, index, value):
    container = changeable(container)
    container[checked_index(container, index)] = value


def changeable(container):
    if type(container) is not list:
        raise Failure("type")
    return container


def checked_index(container, index):
    if not is_number(index):
        raise Failure("type")
    if type(index) is not int or not 0 <= index < len(container):
        raise Failure("index")
    return index
