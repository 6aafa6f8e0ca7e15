"""Exact decimal numbers of bounded size."""

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, setcontext

MAX_DIGITS = 100
QUOTIENT_DIGITS = 20
# Sums and products of two numbers in bounds are exact with so many digits.
CONTEXT = Context(rounding=ROUND_HALF_EVEN, prec=4 * MAX_DIGITS + 10, Emin=-999999, Emax=999999)
# Every number that is written in so few characters, and without an exponent, is in bounds.
SHORT = 40
ONE = Decimal(1)

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class OutOfBoundsError(Exception):
    """A number with too many digits."""


def bounded(number):
    """The number, if it has no more digits than numbers have."""
    if not number or (number.same_quantum(ONE) and number.adjusted() < MAX_DIGITS):
        return number
    if not number.is_finite() or number.adjusted() >= MAX_DIGITS:
        raise OutOfBoundsError
    parts = number.as_tuple()
    if parts.exponent < -MAX_DIGITS:
        digits = "".join(map(str, parts.digits))
        if parts.exponent + len(digits) - len(digits.rstrip("0")) < -MAX_DIGITS:
            raise OutOfBoundsError
    return number


def parse_number(text):
    """The number that a JSON text stands for."""
    if len(text) < SHORT and "e" not in text and "E" not in text:
        return Decimal(text)
    try:
        return bounded(Decimal(text))
    except ArithmeticError as error:
        # The exponent is too large for a decimal; of zero it does not matter.
        digits = text.lower().partition("e")[0]
        if not digits.strip("-0."):
            return Decimal(0)
        raise OutOfBoundsError from error


def show_number(number):
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def is_whole(number):
    return number == number.to_integral_value()


def use_context():
    """Makes the operators of numbers exact."""
    setcontext(CONTEXT)


def add(left, right):
    return bounded(left + right)


def subtract(left, right):
    return bounded(left - right)


def multiply(left, right):
    return bounded(left * right)


def divide(left, right):
    """The quotient, rounded once."""
    if not right:
        raise OutOfBoundsError
    whole, rest = divmod(left.scaleb(QUOTIENT_DIGITS), right)
    twice, size = abs(rest + rest), abs(right)
    if twice > size or (twice == size and whole % 2):
        whole += 1 if left.is_signed() == right.is_signed() else -1
    return bounded(whole.scaleb(-QUOTIENT_DIGITS))


def rounded(number):
    """A number of any size with as many digits behind the point as a quotient."""
    return round_to(number, QUOTIENT_DIGITS)


def scaled(number):
    """A number as an integer, multiplied by the same for all numbers."""
    return int(number.scaleb(MAX_DIGITS))


def root_over(scaled_square, divisor):
    """The square root of a product of two scaled numbers, divided by an integer and rounded once."""
    step = divisor * 10 ** (MAX_DIGITS - QUOTIENT_DIGITS)
    whole = math.isqrt(scaled_square // (step * step))
    twice_middle = (2 * whole + 1) * step
    difference = 4 * scaled_square - twice_middle * twice_middle
    if difference > 0 or (difference == 0 and whole % 2):
        whole += 1
    return bounded(Decimal(whole).scaleb(-QUOTIENT_DIGITS))


def remainder(left, right):
    """What is left of the dividend, with the sign of the divisor."""
    if not right:
        raise OutOfBoundsError
    rest = left % right
    if rest and rest.is_signed() != right.is_signed():
        rest += right
    return rest


def round_to(number, digits):
    """The number rounded to digits behind the point; a middle goes to the even neighbour."""
    return bounded(number.quantize(ONE.scaleb(-digits)))


def floor(number):
    return bounded(number.to_integral_value(ROUND_FLOOR))


def ceiling(number):
    return bounded(number.to_integral_value(ROUND_CEILING))
