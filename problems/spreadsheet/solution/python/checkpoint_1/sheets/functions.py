"""The functions that formulas can call."""

from collections import namedtuple

from sheets.values import Error, to_boolean


class Function(namedtuple("Function", ["counts", "apply"])):
    """A function whose arguments are evaluated when it asks for them."""

    __slots__ = ()


def if_(evaluate, condition, chosen, otherwise):
    holds = to_boolean(evaluate(condition))
    if isinstance(holds, Error):
        return holds
    return evaluate(chosen if holds else otherwise)


def if_error(evaluate, argument, otherwise):
    value = evaluate(argument)
    return evaluate(otherwise) if isinstance(value, Error) else value


FUNCTIONS = {
    "IF": Function(range(3, 4), if_),
    "IFERROR": Function(range(2, 3), if_error),
}
