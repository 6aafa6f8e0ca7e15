"""Constants, sizes and indices as they are written."""

import re

from logic.numbers import LARGEST_SIZE

BINARY = re.compile(r"0b([01x]{1,4096})")
HEXADECIMAL = re.compile(r"0x([0-9a-fA-F]{1,1024})")
DECIMAL = re.compile(r"0*(0|[1-9][0-9]{0,4095})@([1-9][0-9]{0,3})")
INTEGER = re.compile(r"0|[1-9][0-9]{0,3}")
PLAIN = re.compile(r"0|[1-9][0-9]{0,1300}")


def parse_constant(text):
    """The bits of a constant, the highest first, or None."""
    if text in ("0", "1"):
        return text
    if match := BINARY.fullmatch(text):
        return match[1]
    if match := HEXADECIMAL.fullmatch(text):
        return hexadecimal_bits(match[1])
    if match := DECIMAL.fullmatch(text):
        return decimal_bits(match[1], int(match[2]))
    return None


def parse_value(text, width):
    """The bits of an input's value, or None."""
    if text == "x":
        return text * width
    if PLAIN.fullmatch(text):
        return decimal_bits(text, width)
    if match := BINARY.fullmatch(text) or HEXADECIMAL.fullmatch(text):
        bits = match[1] if match.re is BINARY else hexadecimal_bits(match[1])
        return bits if len(bits) == width else None
    return None


def hexadecimal_bits(digits):
    return format(int(digits, 16), f"0{4 * len(digits)}b")


def decimal_bits(digits, width):
    bits = format(int(digits), f"0{width}b")
    return bits if len(bits) == width <= LARGEST_SIZE else None


def show_bits(bits):
    return bits if len(bits) == 1 else "0b" + bits


def parse_integer(text):
    """A number from 0 to the largest size, or None."""
    if INTEGER.fullmatch(text) and int(text) <= LARGEST_SIZE:
        return int(text)
    return None
