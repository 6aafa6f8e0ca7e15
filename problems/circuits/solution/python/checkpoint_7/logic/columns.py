"""Vectors as columns, which simulation takes and gives."""

CAN_BE_ONE = str.maketrans("x", "1")
CAN_BE_ZERO = str.maketrans("01x", "101")
DIGITS = {("1", "0"): "1", ("0", "1"): "0", ("1", "1"): "x"}


def column(digits):
    """The value of a gate whose digit in vector `i` is digit `i`."""
    digits = digits[::-1] or "0"
    return int(digits.translate(CAN_BE_ONE), 2), int(digits.translate(CAN_BE_ZERO), 2)


def digits_of(value, count):
    """The digits of a gate in `count` vectors."""
    if not count:
        return ""
    ones, zeros = (format(side, f"0{count}b") for side in value)
    return "".join(map(DIGITS.get, zip(ones, zeros)))[::-1]


def gate_digits(inputs, vectors):
    """For each gate of the inputs, its digits in all vectors."""
    digits = {}
    for signal in inputs:
        words = [vector[signal.name] for vector in vectors]
        rows = zip(*words) if words else [()] * len(signal.bits)
        digits.update(zip(reversed(signal.bits), ("".join(row) for row in rows)))
    return digits
