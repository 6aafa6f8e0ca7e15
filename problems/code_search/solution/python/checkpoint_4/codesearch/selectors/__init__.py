"""Finding syntactic constructs by their kind."""

import bisect
from dataclasses import dataclass
from typing import Callable

from codesearch.selectors.calls import find_calls
from codesearch.selectors.functions import find_functions
from codesearch.selectors.imports import find_imports
from codesearch.selectors.text import find_comments, find_strings


@dataclass(frozen=True)
class Construct:
    find: Callable  # from code to matches
    captures: tuple
    filter: str  # the rule's key that filters by the first capture


CONSTRUCTS = {
    "function": Construct(find_functions, ("$NAME", "$ARGS"), "name"),
    "call": Construct(find_calls, ("$NAME", "$ARGS"), "name"),
    "import": Construct(find_imports, ("$NAME",), "name"),
    "string": Construct(find_strings, ("$TEXT",), "text"),
    "comment": Construct(find_comments, ("$TEXT",), "text"),
}


@dataclass(frozen=True)
class Selector:
    construct: Construct
    subject: object  # regular expressions, or None
    inside: object

    def find(self, code):
        around = self._functions_around(code) if self.inside else None
        for match in self.construct.find(code):
            if self._accepts_subject(code, match) and (around is None or around.hold(match)):
                yield match

    def _functions_around(self, code):
        """Return the functions inside of which matches count."""
        return Enclosures(function for function in find_functions(code) if is_found(self.inside, code, function, "$NAME"))

    def _accepts_subject(self, code, match):
        return self.subject is None or is_found(self.subject, code, match, self.construct.captures[0])


class Enclosures:
    """Functions, of which no two begin at the same place."""

    def __init__(self, functions):
        self.starts = []
        self.furthest_ends = []  # of each function and those that begin before it
        for function in sorted(functions, key=lambda function: function.start):
            self.starts.append(function.start)
            self.furthest_ends.append(max([function.end, *self.furthest_ends[-1:]]))

    def hold(self, match):
        """Whether the match lies in a function and is not the function itself."""
        before = bisect.bisect_left(self.starts, match.start)
        return before > 0 and self.furthest_ends[before - 1] >= match.end


def is_found(regex, code, match, capture):
    return any(regex.search(code.text[start:end]) for start, end in match.captures.get(capture, ()))
