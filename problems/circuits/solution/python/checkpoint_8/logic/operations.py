"""What the steps of expressions do with words, and which widths they take."""

from logic.functions import FUNCTIONS

UNARY = {
    "prefix ~": lambda gates, a: gates.negated(a),
    "prefix -": lambda gates, a: gates.opposite(a),
    "prefix &": lambda gates, a: gates.reduced("and", a),
    "prefix |": lambda gates, a: gates.reduced("or", a),
    "prefix ^": lambda gates, a: gates.reduced("xor", a),
}
SHIFTS = {
    "<<": lambda gates, a, b: gates.shifted(a, b, 1),
    ">>": lambda gates, a, b: gates.shifted(a, b, -1),
    "<<<": lambda gates, a, b: gates.rotated(a, b, 1),
    ">>>": lambda gates, a, b: gates.rotated(a, b, -1),
}
BINARY = {
    "&": lambda gates, a, b: gates.bitwise("and", a, b),
    "|": lambda gates, a, b: gates.bitwise("or", a, b),
    "^": lambda gates, a, b: gates.bitwise("xor", a, b),
    "+": lambda gates, a, b: gates.add(a, b),
    "-": lambda gates, a, b: gates.subtract(a, b),
    "*": lambda gates, a, b: gates.multiply(a, b),
    "<": lambda gates, a, b: gates.less(a, b),
    ">": lambda gates, a, b: gates.less(b, a),
    "<=": lambda gates, a, b: gates.negated(gates.less(b, a)),
    ">=": lambda gates, a, b: gates.negated(gates.less(a, b)),
    "==": lambda gates, a, b: gates.equal(a, b),
    "!=": lambda gates, a, b: gates.negated(gates.equal(a, b)),
}
CHOICES = ("?", "mux")


def widths_match(operator, widths):
    """Whether an operator or function takes operands of these widths."""
    if operator in SHIFTS or operator == "join":
        return True
    if operator in CHOICES:
        condition, *widths = widths
        if condition != 1:
            return False
    return len(set(widths)) == 1


def apply(gates, operator, words):
    """The word that an operator or function makes of words with matching widths."""
    if operator in CHOICES:
        condition, first, second = words
        return gates.choice(condition[0], first, second)
    if operator == "join":
        return [bit for word in reversed(words) for bit in word]
    for table in (UNARY, SHIFTS, BINARY):
        if operator in table:
            return table[operator](gates, *words)
    function = FUNCTIONS[operator]
    word = gates.bitwise(function.gate, *words)
    return gates.negated(word) if function.negated else word
