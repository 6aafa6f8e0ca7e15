"""Decimal numbers of 24 significant digits."""

import re
from decimal import MAX_EMAX, MIN_EMIN, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

DIGITS = 24
MAX_ADJUSTED = 99
MIN_ADJUSTED = -100
PLAIN_ADJUSTED = range(-7, 24)
MAX_POWER = 1000
ZERO = Decimal(0)
ONE = Decimal(1)
CONTEXT = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX)
EXACT = Context(prec=400, rounding=ROUND_HALF_UP, Emin=MIN_EMIN, Emax=MAX_EMAX)

LITERAL = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")
FAR_EXPONENT = 10**9


def settle(number):
    """The number rounded to its digits: 0 if it is too small, None if it is too large."""
    rounded = CONTEXT.plus(number)
    if not rounded or rounded.adjusted() < MIN_ADJUSTED:
        return ZERO
    return None if rounded.adjusted() > MAX_ADJUSTED else rounded


def parse_literal(text):
    """The exact number that a literal without a sign writes, brought near where it is far out of range."""
    match = LITERAL.fullmatch(text)
    if match is None:
        return None
    whole, fraction, sign, exponent = match.groups(default="")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return ZERO
    power = _bounded(exponent.lstrip("0")) * (-1 if sign == "-" else 1) - len(fraction)
    return Decimal((0, tuple(map(int, digits)), power))


def _bounded(exponent):
    if len(exponent) >= len(str(FAR_EXPONENT)):
        return FAR_EXPONENT
    return int(exponent or "0")


def parse_signed(text):
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    number = parse_literal(unsigned)
    if number is None:
        return None
    return number.copy_negate() if text.startswith("-") else number


def show(number):
    """The shortest form: plain for magnitudes that are near, scientific for others."""
    if not number:
        return "0"
    sign, digits, exponent = number.normalize(CONTEXT).as_tuple()
    adjusted = exponent + len(digits) - 1
    if adjusted in PLAIN_ADJUSTED:
        return format(number.normalize(CONTEXT), "f")
    mantissa = "".join(map(str, digits))
    point = "." + mantissa[1:] if len(mantissa) > 1 else ""
    return f"{'-' if sign else ''}{mantissa[0]}{point}E{adjusted}"


def exact_sum(values):
    """The sum, not rounded: sums of so few digits and such exponents fit."""
    total = ZERO
    for value in values:
        total = EXACT.add(total, value)
    return total


def floor(number):
    return number.to_integral_value(ROUND_FLOOR)


def remainder(number, divisor):
    """What is left of a division, not rounded, with the sign of the divisor."""
    rest = EXACT.remainder(number, divisor)
    return EXACT.add(rest, divisor) if rest and (rest < 0) != (divisor < 0) else rest


def round_half_up(number, digits):
    return EXACT.quantize(number, Decimal((0, (1,), -digits)))


def is_integer(number):
    return number == number.to_integral_value()


def power(base, exponent):
    """The base, which is not 0, to a whole power, rounded once."""
    sign, digits, scale = base.normalize(CONTEXT).as_tuple()
    times = abs(exponent)
    magnitude = Decimal(int("".join(map(str, digits))) ** times)
    if sign and times % 2:
        magnitude = magnitude.copy_negate()
    if exponent < 0:
        return CONTEXT.divide(ONE, magnitude).scaleb(-scale * times, CONTEXT)
    return CONTEXT.plus(magnitude).scaleb(scale * times, CONTEXT)
