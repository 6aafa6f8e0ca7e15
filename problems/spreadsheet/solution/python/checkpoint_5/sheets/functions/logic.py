"""Functions about conditions, errors and empty cells."""

from sheets.functions.base import Kind, LazyFunction, function, repeating
from sheets.values import Error, severest, to_boolean


def if_(evaluate, condition, chosen, otherwise=None):
    holds = to_boolean(evaluate(condition))
    if isinstance(holds, Error):
        return holds
    if holds:
        return evaluate(chosen)
    return False if otherwise is None else evaluate(otherwise)


def if_error(evaluate, argument, otherwise):
    value = evaluate(argument)
    return evaluate(otherwise) if isinstance(value, Error) else value


def conditions_of(arguments):
    """All conditions that count, or an error."""
    found = []
    for argument in arguments:
        values = argument.values
        if argument.is_reference:
            values = [value for value in values if not isinstance(value, str)]
        found.extend(map(to_boolean, values))
    return severest(found) or found


def over_conditions(combine):
    def apply(*arguments):
        found = conditions_of(arguments)
        if isinstance(found, Error):
            return found
        return combine(found) if found else Error.VALUE

    return repeating(apply, Kind.CELLS)


def not_(condition):
    return not condition


def is_error(value):
    return isinstance(value, Error)


def is_blank(value):
    return value is None


FUNCTIONS = {
    "IF": LazyFunction(range(2, 4), if_),
    "IFERROR": LazyFunction(range(2, 3), if_error),
    "AND": over_conditions(all),
    "OR": over_conditions(any),
    "NOT": function(not_, Kind.CONDITION),
    "ISERROR": function(is_error, Kind.RAW),
    "ISBLANK": function(is_blank, Kind.RAW),
}
