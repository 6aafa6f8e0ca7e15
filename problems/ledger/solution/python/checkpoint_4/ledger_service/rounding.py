"""From exact numbers to whole ones."""

from fractions import Fraction

HALF = Fraction(1, 2)

# Whether the size of a number is raised to the next whole one, given that below it and what is lost by taking that.
RAISES = {
    "down": lambda below, lost: False,
    "up": lambda below, lost: lost > 0,
    "half_down": lambda below, lost: lost > HALF,
    "half_up": lambda below, lost: lost >= HALF,
    "half_even": lambda below, lost: lost > HALF or (lost == HALF and below % 2 == 1),
}


def round_number(number, way):
    size = abs(number)
    below = size.numerator // size.denominator
    whole = below + 1 if RAISES[way](below, size - below) else below
    return -whole if number < 0 else whole


def share_out(whole, exact):
    """Return whole numbers that add up to `whole`, as near to exact ones as the largest remainders make them."""
    below = [number.numerator // number.denominator for number in exact]
    lost = [number - rounded for number, rounded in zip(exact, below)]
    missing = whole - sum(below)
    for index in sorted(range(len(exact)), key=lambda index: -lost[index])[:missing]:
        below[index] += 1
    return below
