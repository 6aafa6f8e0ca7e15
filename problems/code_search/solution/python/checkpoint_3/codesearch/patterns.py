"""Structure-aware patterns: compiling them, and matching them with code."""

import itertools
from dataclasses import replace

from codesearch.errors import RuleError
from codesearch.matches import Match
from codesearch.syntax import Code
from codesearch.tokens import BRACKETS, LINE_END, MARK, METAVARIABLE, NAME, STRING, lexer_for


class Pattern:
    """A pattern in one language: its forms with and without optional metavariables."""

    def __init__(self, text, language):
        tokens = pattern_tokens(text, language)
        self.forms = [Code(text, form, language) for form in optional_forms(tokens)]
        self._check_brackets(text)

    def _check_brackets(self, text):
        for form in self.forms:
            brackets = [token for token in form.tokens if token.kind == MARK and token.text in BRACKETS]
            if len(brackets) != len(form.partner):
                raise RuleError(f"brackets do not pair up in the pattern {text!r}")

    def find(self, code):
        """Yield the matches in the code."""
        matchers = [FormMatcher(form.tokens, code) for form in self.forms]
        for first in range(len(code.tokens)):
            for matcher in matchers:
                found = dict(matcher.matches_at(first))
                for end, bindings in found.items():
                    yield Match(*code.span(first, end), bindings)
                if found:
                    break


def pattern_tokens(text, language):
    tokens = [unescape(token) for token in lexer_for(language, in_pattern=True).tokenize(text)]
    if tokens and tokens[-1].kind == LINE_END:
        tokens.pop()
    if all(token.kind == METAVARIABLE or token.text == "," for token in tokens):
        raise RuleError(f"the pattern {text!r} consists of metavariables only")
    return tokens


def unescape(token):
    """Return a pattern's token as it stands for source code."""
    if token.kind == MARK and token.text == "$":
        raise RuleError("a pattern has a '$' that is neither doubled nor begins a metavariable")
    if token.kind in (MARK, NAME, STRING):
        return replace(token, text=token.text.replace("$$", "$"))
    return token


def metavariable_name(token):
    return token.text.replace("...", "").rstrip("?")


def metavariable_names(tokens):
    """Return the names of the metavariables, each once, in a fixed order."""
    return sorted({metavariable_name(token) for token in tokens if token.kind == METAVARIABLE})


def is_sequence(token):
    return token.kind == METAVARIABLE and token.text.startswith("$...")


def is_optional(token):
    return is_sequence(token) or (token.kind == METAVARIABLE and token.text.endswith("?"))


def optional_forms(tokens):
    """Yield the tokens of each form; presence first, the leftmost metavariable deciding first."""
    optional = [index for index, token in enumerate(tokens) if is_optional(token)]
    for presence in itertools.product((True, False), repeat=len(optional)):
        absent = {index for index, is_present in zip(optional, presence) if not is_present}
        yield without(tokens, absent)


def without(tokens, absent):
    """Return copies of the tokens except the absent metavariables and a comma next to each."""
    kept = []
    comma_is_absent = False
    for index, token in enumerate(tokens):
        if index in absent:
            if kept and kept[-1].text == ",":
                kept.pop()
            else:
                comma_is_absent = True
                continue
        elif not (comma_is_absent and token.text == ","):
            kept.append(replace(token))
        comma_is_absent = False
    return kept


class FormMatcher:
    """Matches one form of a pattern with code, token by token, trying all elements."""

    def __init__(self, pattern, code):
        self.pattern = pattern
        self.code = code
        self.names_from = [metavariable_names(pattern[position:]) for position in range(len(pattern) + 1)]
        self.tried = set()

    def matches_at(self, first):
        """Yield (end, bindings) of the matches that begin at a token, for each end the one that counts."""
        self.tried.clear()
        for end, bindings in self._match(0, first, {}):
            if self.code.is_whole(first, end):
                yield end, bindings

    def _match(self, position, index, bindings):
        while position < len(self.pattern) and self.pattern[position].kind != METAVARIABLE:
            if not self._is_same(self.pattern[position], index):
                return
            position += 1
            index += 1
        if self._is_tried(position, index, bindings):
            return
        if position == len(self.pattern):
            yield index, bindings
            return
        if index < len(self.code.tokens):
            yield from self._bind(position, index, bindings)

    def _is_tried(self, position, index, bindings):
        """Whether the rest was matched from here before; what comes later has longer texts and does not count."""
        bound = tuple(bindings[name][0] for name in self.names_from[position] if name in bindings)
        state = (position, index, bound)
        is_tried = state in self.tried
        self.tried.add(state)
        return is_tried

    def _bind(self, position, index, bindings):
        metavariable = self.pattern[position]
        name = metavariable_name(metavariable)
        spans = bindings.get(name, ())
        for end in self._ends(metavariable, index, spans):
            span = self.code.span(index, end)
            yield from self._match(position + 1, end, {**bindings, name: (*spans, span)})

    def _ends(self, metavariable, index, spans):
        """Return where a metavariable that begins at a token may end, given where its name stood before."""
        ends = (self.code.sequence_ends if is_sequence(metavariable) else self.code.element_ends)(index)
        if not spans:
            return ends
        text = self._text(spans[0])
        start = self.code.tokens[index].start
        end = self.code.end_at.get(start + len(text))
        return [end] if end in ends and self.code.text.startswith(text, start) else []

    def _is_same(self, wanted, index):
        if index >= len(self.code.tokens):
            return False
        token = self.code.tokens[index]
        return (token.text, token.role) == (wanted.text, wanted.role)

    def _text(self, span):
        return self.code.text[slice(*span)]

