"""From a formula's tree to its text, with no parentheses that are not needed."""

from sheets.cells import column_letters
from sheets.nodes import Binary, Call, Literal, Name, Percent, Prefix, Range, Reference
from sheets.values import show

PREFIX, POWER, PERCENT, ATOM = 5, 6, 7, 8
BINDING = {"^": POWER, "*": 4, "/": 4, "+": 3, "-": 3, "&": 2}
COMPARISON = 1


def binding(node):
    match node:
        case Binary(operator):
            return BINDING.get(operator, COMPARISON)
        case Prefix():
            return PREFIX
        case Percent():
            return PERCENT
    return ATOM


def print_position(position):
    column_mark = "$" if position.column_fixed else ""
    row_mark = "$" if position.row_fixed else ""
    return f"{column_mark}{column_letters(position.column)}{row_mark}{position.row}"


def print_at_least(node, strength):
    text = print_formula(node)
    return text if binding(node) >= strength else f"({text})"


def print_binary(operator, left, right):
    strength = BINDING.get(operator, COMPARISON)
    if operator == "^":
        return f"{print_at_least(left, PERCENT)}^{print_at_least(right, PREFIX)}"
    return f"{print_at_least(left, strength)}{operator}{print_at_least(right, strength + 1)}"


def print_formula(node):
    match node:
        case Literal(value):
            return show(value)
        case Reference(position):
            return print_position(position)
        case Range(first, last):
            return f"{print_position(first)}:{print_position(last)}"
        case Name(name):
            return name
        case Prefix(operator, operand):
            return operator + print_at_least(operand, PREFIX)
        case Percent(operand):
            return print_at_least(operand, PERCENT) + "%"
        case Binary(operator, left, right):
            return print_binary(operator, left, right)
        case Call(function, arguments):
            return f"{function}({','.join(map(print_formula, arguments))})"
    raise TypeError(node)
