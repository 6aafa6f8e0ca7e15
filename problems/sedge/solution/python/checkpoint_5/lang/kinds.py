"""The kinds of values; those that need types of their own register them."""

from fractions import Fraction

KINDS = {
    type(None): "nil",
    bool: "boolean",
    int: "number",
    Fraction: "number",
    str: "text",
    list: "list",
}


def kind(value):
    return KINDS[type(value)]


def is_number(value):
    return type(value) is int or type(value) is Fraction
