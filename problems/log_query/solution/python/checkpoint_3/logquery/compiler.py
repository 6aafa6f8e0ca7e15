"""Expressions as functions of a row."""

from decimal import Decimal

from logquery import nodes
from logquery.errors import QueryFailure
from logquery.functions import FUNCTIONS
from logquery.numbers import is_whole
from logquery.operators import BINARY
from logquery.values import MISSING, are_equal, is_absent, joined_keys, kind_of, sort_key


class Scope:
    """What can be called by expressions: the functions of single rows."""

    def compile_call(self, node):
        """A function of a row that makes a call."""
        function = FUNCTIONS.get(node.name)
        if function is None:
            raise QueryFailure("function", node.position)
        if node.condition is not None or not function.takes(len(node.arguments)):
            raise QueryFailure("arguments", node.position)
        arguments = [compile_expression(argument, self) for argument in node.arguments]
        call = function.at(node.position)
        return lambda row: call([argument(row) for argument in arguments])


ROW_SCOPE = Scope()


def compile_expression(node, scope=ROW_SCOPE):
    """A function that gives the expression's value for a row. What is wrong with an expression whatever the
    rows are is told in the order of positions."""
    return COMPILERS[type(node)](node, scope)


def compile_identity(expressions):
    """A function that gives the same for rows for which all expressions are the same."""
    values = [compile_expression(expression) for expression in expressions]
    return lambda row: joined_keys([sort_key(value(row)) for value in values])


def _literal(node, scope):
    value = node.value
    return lambda row: value


def _column(node, scope):
    name = node.name
    return lambda row: row.get(name, MISSING)


def member_of(base, key):
    """The member of an object, or the item of a list, or missing."""
    if type(base) is dict and type(key) is str:
        return base.get(key, MISSING)
    if type(base) is list and type(key) is Decimal and -len(base) <= key < len(base) and is_whole(key):
        return base[int(key)]
    return MISSING


def _member(node, scope):
    base, key = compile_expression(node.base, scope), compile_expression(node.key, scope)
    return lambda row: member_of(base(row), key(row))


def _items(node, scope):
    items = [compile_expression(item, scope) for item in node.items]

    def run(row):
        values = [item(row) for item in items]
        return [value for value in values if value is not MISSING]

    return run


def _negate(node, scope):
    operand = compile_expression(node.operand, scope)

    def run(row):
        value = operand(row)
        if type(value) is Decimal:
            return -value
        if is_absent(value):
            return value
        raise QueryFailure("type", node.position)

    return run


def truth(value, position):
    """True, false, or None where it is not known."""
    if value is True or value is False:
        return value
    if is_absent(value):
        return None
    raise QueryFailure("type", position)


def _not(node, scope):
    operand = compile_expression(node.operand, scope)

    def run(row):
        value = truth(operand(row), node.position)
        return None if value is None else not value

    return run


def _unary(node, scope):
    return _not(node, scope) if node.operator == "not" else _negate(node, scope)


def _connective(node, scope):
    """`and` and `or`: one of the two values decides alone."""
    left, right = compile_expression(node.left, scope), compile_expression(node.right, scope)
    decisive = node.operator == "or"
    position = node.position

    def run(row):
        first = truth(left(row), position)
        if first is decisive:
            return decisive
        second = truth(right(row), position)
        if second is decisive:
            return decisive
        return None if first is None else second

    return run


def _coalesce(node, scope):
    left, right = compile_expression(node.left, scope), compile_expression(node.right, scope)

    def run(row):
        value = left(row)
        return right(row) if is_absent(value) else value

    return run


SPECIAL_BINARY = {"and": _connective, "or": _connective, "??": _coalesce}


def _binary(node, scope):
    special = SPECIAL_BINARY.get(node.operator)
    if special is not None:
        return special(node, scope)
    left, right = compile_expression(node.left, scope), compile_expression(node.right, scope)
    operate = BINARY[node.operator](node.operator, node.position)
    return lambda row: operate(left(row), right(row))


def _is_constant(node):
    """Whether an expression is a literal, maybe with a sign, and no list."""
    if isinstance(node, nodes.Unary):
        return node.operator == "-" and isinstance(node.operand, nodes.Literal) and type(node.operand.value) is Decimal
    return isinstance(node, nodes.Literal)


def _one_of(node, scope):
    operand = compile_expression(node.operand, scope)
    constants = [compile_expression(choice, scope)({}) for choice in node.choices if _is_constant(choice)]
    known = {sort_key(constant) for constant in constants if not is_absent(constant)}
    are_absent = any(map(is_absent, constants))
    choices = [compile_expression(choice, scope) for choice in node.choices if not _is_constant(choice)]

    def run(row):
        value = operand(row)
        values = [choice(row) for choice in choices]
        if is_absent(value):
            return None
        if sort_key(value) in known or any(not is_absent(choice) and are_equal(value, choice) for choice in values):
            return True
        return None if are_absent or any(map(is_absent, values)) else False

    return run


def _is_kind(node, scope):
    operand = compile_expression(node.operand, scope)
    return lambda row: kind_of(operand(row)) == node.kind


def _call(node, scope):
    if node.name == "if":
        return _condition(node, scope)
    return scope.compile_call(node)


def _condition(node, scope):
    if node.condition is not None or len(node.arguments) != CONDITION_ARGUMENTS:
        raise QueryFailure("arguments", node.position)
    condition, yes, no = (compile_expression(argument, scope) for argument in node.arguments)
    return lambda row: (yes if truth(condition(row), node.position) else no)(row)


CONDITION_ARGUMENTS = 3

COMPILERS = {
    nodes.Literal: _literal,
    nodes.Column: _column,
    nodes.Member: _member,
    nodes.Items: _items,
    nodes.Unary: _unary,
    nodes.Binary: _binary,
    nodes.OneOf: _one_of,
    nodes.IsKind: _is_kind,
    nodes.Call: _call,
}
