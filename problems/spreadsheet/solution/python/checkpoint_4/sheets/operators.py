"""What operators do with values."""

from decimal import Decimal

from sheets import numbers
from sheets.values import Error, settled, severest, to_number, to_text

HUNDREDTH = -2


def add(left, right):
    return settled(numbers.CONTEXT.add(left, right))


def subtract(left, right):
    return settled(numbers.CONTEXT.subtract(left, right))


def multiply(left, right):
    return settled(numbers.CONTEXT.multiply(left, right))


def divide(left, right):
    if not right:
        return Error.DIV
    return settled(numbers.CONTEXT.divide(left, right))


def raise_to(base, exponent):
    if not numbers.is_integer(exponent) or abs(exponent) > numbers.MAX_POWER:
        return Error.NUM
    if base:
        return settled(numbers.power(base, int(exponent)))
    if exponent > 0:
        return numbers.ZERO
    return Error.DIV if exponent else Error.NUM


ARITHMETIC = {"+": add, "-": subtract, "*": multiply, "/": divide, "^": raise_to}


def arithmetic(operator, left, right):
    operands = to_number(left), to_number(right)
    return severest(operands) or ARITHMETIC[operator](*operands)


def _blank_like(other):
    """What an empty operand is compared as."""
    if isinstance(other, bool):
        return False
    return "" if isinstance(other, str) else numbers.ZERO


def sort_key(value):
    """Values in order: numbers, then text without regard to case, then booleans."""
    if isinstance(value, bool):
        return (2, value)
    return (1, value.casefold()) if isinstance(value, str) else (0, value)


def compare(operator, left, right):
    first = sort_key(_blank_like(right) if left is None else left)
    second = sort_key(_blank_like(left) if right is None else right)
    return holds(operator, first, second)


def holds(operator, first, second):
    """Whether a comparison holds for two sort keys."""
    match operator:
        case "=":
            return first == second
        case "<>":
            return first != second
        case "<":
            return first < second
        case "<=":
            return first <= second
        case ">":
            return first > second
    return first >= second


def binary(operator, left, right):
    error = severest((left, right))
    if error is not None:
        return error
    if operator in ARITHMETIC:
        return arithmetic(operator, left, right)
    if operator == "&":
        return to_text(left) + to_text(right)
    return compare(operator, left, right)


def prefix(operator, value):
    number = to_number(value)
    if operator == "+" or isinstance(number, Error):
        return number
    return settled(number.copy_negate())


def percent(value):
    number = to_number(value)
    if isinstance(number, Error):
        return number
    return settled(number.scaleb(Decimal(HUNDREDTH), numbers.CONTEXT))
