"""Finding syntactic constructs by their kind."""

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
        functions = list(find_functions(code)) if self.inside else []
        for match in self.construct.find(code):
            if self._accepts_subject(code, match) and self._accepts_place(code, match, functions):
                yield match

    def _accepts_subject(self, code, match):
        return self.subject is None or is_found(self.subject, code, match, self.construct.captures[0])

    def _accepts_place(self, code, match, functions):
        return self.inside is None or any(
            encloses(function, match) and is_found(self.inside, code, function, "$NAME")
            for function in functions
        )


def is_found(regex, code, match, capture):
    return any(regex.search(code.text[start:end]) for start, end in match.captures.get(capture, ()))


def encloses(function, match):
    is_around = function.start <= match.start and match.end <= function.end
    return is_around and (function.start, function.end) != (match.start, match.end)
