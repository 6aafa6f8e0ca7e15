from codesearch.matches import Match
from codesearch.selectors.captures import token_captures
from codesearch.roles import CALL


def find_calls(code):
    for first in range(len(code.tokens)):
        for opening in code.element_ends(first):
            if is_call(code, first, opening):
                end = code.after(opening)
                captures = token_captures(code, NAME=(first, opening), ARGS=(opening + 1, end - 1))
                yield Match(*code.span(first, end), captures)


def is_call(code, first, opening):
    bracket = code.tokens[opening] if opening < len(code.tokens) else None
    if bracket is None or bracket.role != CALL or bracket.text != "(":
        return False
    return code.is_whole(first, code.after(opening))
