"""Conditions that are written as values: 5, "abc", ">=5"."""

import re

from sheets.numbers import ZERO
from sheets.operators import holds, sort_key
from sheets.values import Error, typed

CRITERION = re.compile(r"(<>|<=|>=|=|<|>|)(.*)", re.DOTALL)


class Criterion:
    def __init__(self, operator, operand):
        self.operator = operator
        self.operand = operand
        self.key = None if operand is None else sort_key(operand)

    def accepts(self, value):
        if isinstance(value, Error):
            return False
        if self.operator == "<>":
            return not self._compares("=", value)
        return self._compares(self.operator, value)

    def _compares(self, operator, value):
        if value is None or self.operand is None:
            return operator == "=" and value is self.operand
        key = sort_key(value)
        return key[0] == self.key[0] and holds(operator, key, self.key)


def equal_to(value):
    return Criterion("=", value)


def parse_criterion(value):
    """The criterion that a value stands for, or an error."""
    if not isinstance(value, str):
        return equal_to(ZERO if value is None else value)
    operator, text = CRITERION.fullmatch(value).groups()
    operand = typed(text) if text else None
    return operand if isinstance(operand, Error) else Criterion(operator or "=", operand)
