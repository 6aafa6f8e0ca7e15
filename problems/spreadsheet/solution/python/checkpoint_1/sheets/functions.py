"""The functions that formulas can call."""

from dataclasses import dataclass
from typing import Callable

from sheets.values import Error, to_boolean


@dataclass(frozen=True, slots=True)
class Function:
    """A function whose arguments are evaluated when it asks for them."""

    counts: range
    apply: Callable


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
