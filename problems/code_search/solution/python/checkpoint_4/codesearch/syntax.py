"""The structure of a token sequence: expressions, and what a metavariable may match.

There is no syntax tree. Each token has a role, and whether a run of tokens is an expression that
no neighbour cuts follows from the roles and the operators' binding.
"""

from codesearch.languages.base import Language
from codesearch.roles import (
    BEGINS_OPERAND,
    BINARY,
    FOLLOWS_OPERAND,
    GROUP,
    OPERAND,
    PARAMETERS,
    PREFIX,
    TAKES_LEFT,
    TAKES_RIGHT,
    RoleFinder,
    pair_brackets,
)
from codesearch.tokens import CLOSING, LINE_END, MARK, NAME, OPENING, STRING


class Code:
    """Source text, or a pattern, as structured tokens."""

    def __init__(self, text, tokens, language: Language, comments=()):
        self.text = text
        self.tokens = tokens
        self.comments = comments
        self.language = language
        self.partner = pair_brackets(tokens)
        # The index after the token that ends at an offset.
        self.end_at = {token.end: index + 1 for index, token in enumerate(tokens) if token.kind != LINE_END}
        self._elements = {}
        self._sequences = {}
        RoleFinder(tokens, self.partner, language).run()

    def span(self, first, end):
        """Return where in the text the tokens from first up to, not including, end are."""
        return self.tokens[first].start, self.tokens[end - 1].end

    def text_at(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else None

    def kind_at(self, index):
        return self.tokens[index].kind if index < len(self.tokens) else None

    def role_at(self, index):
        return self.tokens[index].role if index < len(self.tokens) else None

    def is_name(self, index):
        """Whether the token is a name and no reserved word or operator."""
        return self.kind_at(index) == NAME and self.role_at(index) == OPERAND

    def indentation(self, index):
        """Return how many characters stand before the first visible one on the token's line."""
        start = self.tokens[index].start
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        return len(line) - len(line.lstrip())

    def element_ends(self, first):
        """Return the ends of the elements that begin at a token, shortest first."""
        if first not in self._elements:
            ends = set(self._whole_expression_ends(first))
            self._elements[first] = sorted(ends | self._item_ends(first))
        return self._elements[first]

    def sequence_ends(self, first):
        """Return the ends of the sequences of elements that begin at a token, shortest first."""
        if first not in self._sequences:
            self._sequences[first] = sorted(self._find_sequence_ends(first))
        return self._sequences[first]

    def _find_sequence_ends(self, first):
        ends = set()
        pending = [first]
        while pending:
            for end in self.element_ends(pending.pop()):
                if end not in ends and self._is_comma(end) and end + 1 < len(self.tokens):
                    pending.append(end + 1)
                ends.add(end)
        return ends

    def _is_comma(self, index):
        return index < len(self.tokens) and self.tokens[index].text == ","

    def is_whole(self, first, end):
        """Whether no operator next to the tokens takes a part of them only."""
        if self._joins_strings(first) or self._joins_strings(end):
            return False
        before = self._operator_at(first - 1, TAKES_RIGHT)
        after = self._operator_at(end, TAKES_LEFT)
        if not self._is_expression(first, end):
            return not after and not (before and self.tokens[first].role in BEGINS_OPERAND)
        return not (
            (before and self._yields_left(first, end, before))
            or (after and self._yields_right(first, end, after))
        )

    def _whole_expression_ends(self, first):
        """Yield the ends of the expressions that begin at a token and are not cut, in one walk over the longest."""
        if self._joins_strings(first):
            return
        before = self._operator_at(first - 1, TAKES_RIGHT)
        taking_right = set()
        walked = first
        for end in self._expression_ends(first):
            if before and self._yields_left(walked, end, before):
                return
            taking_right.update(self._operators(walked, end, TAKES_RIGHT))
            walked = end
            after = self._operator_at(end, TAKES_LEFT)
            if not after or all(inner.goes_before(after) for inner in taking_right):
                yield end

    def _yields_left(self, first, end, before):
        """Whether an operator before the expression takes just its beginning."""
        return any(before.goes_before(inner) for inner in self._operators(first, end, TAKES_LEFT))

    def _yields_right(self, first, end, after):
        """Whether an operator after the expression takes just its end."""
        return any(not inner.goes_before(after) for inner in self._operators(first, end, TAKES_RIGHT))

    def _operator_at(self, index, roles):
        is_inside = 0 <= index < len(self.tokens)
        return self.tokens[index].operator if is_inside and self.tokens[index].role in roles else None

    def _is_expression(self, first, end):
        return end in self._expression_ends(first)

    def _operators(self, first, end, roles):
        """Yield the operators with one of the roles, those inside of brackets excepted."""
        index = first
        while index < end:
            if self.tokens[index].role in roles:
                yield self.tokens[index].operator
            index = self.after(index)

    def after(self, index):
        """Return the index after a token or, from an opening bracket, after its partner."""
        return max(index, self.partner.get(index, index)) + 1

    def _expression_ends(self, first):
        """Yield each index up to which the tokens are an expression."""
        index = self._operand_end(first)
        while index is not None:
            yield index
            role = self.role_at(index)
            if role in FOLLOWS_OPERAND:
                index = self.after(index)
            elif role == BINARY:
                index = self._operand_end(index + 1)
            else:
                return

    def _operand_end(self, index):
        while self.role_at(index) == PREFIX:
            index += 1
        if self.role_at(index) not in (OPERAND, PARAMETERS, GROUP):
            return None
        end = self.after(index)
        while self._joins_strings(end):
            end += 1
        return end

    def _joins_strings(self, index):
        """Whether strings meet before the token; they are one operand."""
        is_between = 0 < index < len(self.tokens)
        return is_between and self.tokens[index - 1].kind == self.tokens[index].kind == STRING

    def _item_ends(self, first):
        """Return the end of the item that begins at a token, in a set that is empty without one."""
        if not self._begins_item(first):
            return set()
        index = first
        while index < len(self.tokens) and not self._limits_item(index):
            index = self.after(index)
        return {index} if first < index < len(self.tokens) else set()

    def _begins_item(self, index):
        if index == 0:
            return self.language.line_ends_matter
        before = self.tokens[index - 1]
        return before.kind == LINE_END or (before.kind == MARK and before.text in {*OPENING, ",", ";"})

    def _limits_item(self, index):
        """Whether an item ends before the token; a bracket without partner is never part of one."""
        token = self.tokens[index]
        if token.kind == LINE_END:
            return True
        if token.kind != MARK:
            return False
        return token.text in {*CLOSING, ",", ";"} or (token.text in OPENING and index not in self.partner)
