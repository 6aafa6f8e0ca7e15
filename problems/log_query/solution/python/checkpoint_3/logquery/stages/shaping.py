"""Stages that change the columns of rows."""

from logquery.compiler import compile_expression
from logquery.errors import QueryFailure
from logquery.expressions import parse_expression
from logquery.nodes import Column, Literal, Member
from logquery.phrases import parse_setting
from logquery.targets import parse_target
from logquery.values import MISSING


class Let:
    """Puts values into places, one after the other."""

    def __init__(self, tokens):
        self.assignments = tokens.separated(parse_setting)

    def bind(self):
        self.settings = [(target, compile_expression(expression)) for target, expression in self.assignments]

    def apply(self, rows):
        for row in rows:
            changed = dict(row)
            for target, value in self.settings:
                target.put(changed, value(changed))
            yield changed


def set_column(row, name, value):
    """Sets a column where it stands, or else as the last one; a missing value removes it."""
    if value is MISSING:
        row.pop(name, None)
    else:
        row[name] = value


def _implied_name(expression):
    """The name and its position that a selected path has by itself, or None."""
    if isinstance(expression, Column):
        return expression.name, expression.position
    if isinstance(expression, Member) and isinstance(expression.key, Literal) and isinstance(expression.key.value, str):
        return expression.key.value, expression.position
    return None


def parse_item(tokens):
    """An expression with the name of its column and the name's position."""
    expression = parse_expression(tokens)
    implied = _implied_name(expression)
    if implied is None:
        tokens.expect("as")
    elif not tokens.take("as"):
        return expression, *implied
    token = tokens.name()
    return expression, token.text, token.position


class Select:
    """Makes rows of new columns."""

    def __init__(self, tokens):
        self.items = tokens.separated(parse_item)

    def bind(self):
        self.columns = {}
        for expression, name, position in self.items:
            value = compile_expression(expression)
            if name in self.columns:
                raise QueryFailure("column", position)
            self.columns[name] = value

    def apply(self, rows):
        for row in rows:
            values = [(name, value(row)) for name, value in self.columns.items()]
            yield {name: value for name, value in values if value is not MISSING}


class Drop:
    """Removes what is in places."""

    def __init__(self, tokens):
        self.targets = tokens.separated(parse_target)

    def bind(self):
        pass

    def apply(self, rows):
        for row in rows:
            changed = dict(row)
            for target in self.targets:
                target.remove(changed)
            yield changed


class Expand:
    """Makes a row of each item of a list."""

    def __init__(self, tokens):
        self.target = parse_target(tokens)

    def bind(self):
        pass

    def apply(self, rows):
        for row in rows:
            items = self.target.get(row)
            if type(items) is list:
                yield from self._rows(row, items)
            else:
                yield row

    def _rows(self, row, items):
        for item in items:
            changed = dict(row)
            self.target.put(changed, item)
            yield changed
