"""The grammar of expressions."""

import json
from decimal import Decimal

from logquery.nodes import Binary, Call, Column, IsKind, Items, Literal, Member, OneOf, Unary
from logquery.numbers import OutOfBoundsError, multiply, parse_number
from logquery.values import KINDS, MISSING

CONSTANTS = {"null": None, "true": True, "false": False, "missing": MISSING}
SECONDS_BY_UNIT = {"": "1", "ms": "0.001", "s": "1", "m": "60", "h": "3600", "d": "86400", "w": "604800"}
UNITS = {unit: Decimal(seconds) for unit, seconds in SECONDS_BY_UNIT.items()}
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


def parse_expression(tokens):
    return _left_grouped(tokens, _conjunction, "or")


def _left_grouped(tokens, operand, *operators):
    node = operand(tokens)
    while operator := tokens.take(*operators):
        node = Binary(operator.text, node, operand(tokens), operator.position)
    return node


def _conjunction(tokens):
    return _left_grouped(tokens, _negation, "and")


def _negation(tokens):
    if operator := tokens.take("not"):
        return Unary("not", _negation(tokens), operator.position)
    return _comparison(tokens)


def _comparison(tokens):
    left = parse_operand(tokens)
    if operator := tokens.take(*COMPARISONS):
        return Binary(operator.text, left, parse_operand(tokens), operator.position)
    if operator := tokens.take("is"):
        return _kind_test(tokens, left, operator)
    negation = tokens.take("not")
    if operator := tokens.take("in"):
        tokens.expect("(")
        node = OneOf(left, tokens.separated(parse_expression), operator.position)
        tokens.expect(")")
    elif operator := tokens.take("like"):
        node = Binary("like", left, parse_operand(tokens), operator.position)
    elif negation:
        raise tokens.failure()
    else:
        return left
    return Unary("not", node, negation.position) if negation else node


def _kind_test(tokens, operand, operator):
    negation = tokens.take("not")
    kind = tokens.expect(*KINDS.values()).text
    node = IsKind(operand, kind, operator.position)
    return Unary("not", node, negation.position) if negation else node


def parse_operand(tokens):
    """An expression that can stand beside a comparison."""
    operands = [_sum(tokens)]
    operators = []
    while operator := tokens.take("??"):
        operators.append(operator)
        operands.append(_sum(tokens))
    node = operands.pop()
    while operators:
        node = Binary("??", operands.pop(), node, operators.pop().position)
    return node


def _sum(tokens):
    return _left_grouped(tokens, _product, "+", "-", "++")


def _product(tokens):
    return _left_grouped(tokens, _signed, "*", "/", "%")


def _signed(tokens):
    if operator := tokens.take("-"):
        return Unary("-", _signed(tokens), operator.position)
    return _path(tokens)


def _path(tokens):
    node = _primary(tokens)
    while operator := tokens.take(".", "["):
        if operator.text == ".":
            name = tokens.name()
            node = Member(node, Literal(name.text, name.position), name.position)
        else:
            node = Member(node, parse_expression(tokens), operator.position)
            tokens.expect("]")
    return node


def _primary(tokens):
    token = tokens.current
    if token.kind in ("number", "duration"):
        return Literal(number_literal(tokens), token.position)
    if token.kind == "string":
        return Literal(json.loads(tokens.next().text), token.position)
    if tokens.take("("):
        node = parse_expression(tokens)
        tokens.expect(")")
        return node
    if tokens.take("["):
        return _items(tokens, token)
    if tokens.take(*CONSTANTS):
        return Literal(CONSTANTS[token.text], token.position)
    tokens.name()
    if token.kind == "word" and tokens.take("("):
        return _call(tokens, token)
    return Column(token.text, token.position)


def _items(tokens, bracket):
    """A list behind its opening bracket."""
    items = () if tokens.at("]") else tokens.separated(parse_expression)
    tokens.expect("]")
    return Items(items, bracket.position)


def _call(tokens, name):
    """A call behind its opening parenthesis."""
    arguments, condition = (), None
    if not tokens.at(")", "|"):
        arguments = tokens.separated(parse_expression)
    if tokens.take("|"):
        condition = parse_expression(tokens)
    tokens.expect(")")
    return Call(name.text, arguments, condition, name.position)


def number_literal(tokens):
    """The number of a number's or duration's token; that of a duration are its seconds."""
    text = tokens.current.text
    digits = text.rstrip("".join(UNITS))
    try:
        number = multiply(parse_number(digits), UNITS[text[len(digits) :]])
    except OutOfBoundsError as error:
        raise tokens.failure() from error
    tokens.next()
    return number
