"""The structure of a token sequence: brackets, roles of tokens, expressions.

There is no syntax tree. Each token gets a role, and whether a run of tokens is an expression that
no neighbour cuts follows from the roles and the operators' binding.
"""

from dataclasses import dataclass

from codesearch.declarations import head_at
from codesearch.languages.base import Language
from codesearch.tokens import CHARACTER, CLOSING, LINE_END, MARK, METAVARIABLE, NAME, LITERAL, OPENING, STRING

OPERAND, PREFIX, BINARY, POSTFIX, CALL, CONSTRUCTION, PARAMETERS, GROUP, CLOSE, SEPARATOR = (
    "operand",
    "prefix",
    "binary",
    "postfix",
    "call",  # the opening bracket of a call or subscript
    "construction",  # the opening bracket of the arguments in "new Name(…)" and "name!(…)"
    "parameters",  # the opening bracket after a declared name
    "group",  # any other opening bracket
    "close",
    "separator",
)
ENDS_OPERAND = {OPERAND, POSTFIX, CLOSE}
BEGINS_OPERAND = {OPERAND, PREFIX, PARAMETERS, GROUP}
FOLLOWS_OPERAND = {POSTFIX, CALL, CONSTRUCTION}
TAKES_LEFT = {BINARY, *FOLLOWS_OPERAND}
TAKES_RIGHT = {BINARY, PREFIX}
NAMES = {NAME, METAVARIABLE}
MEMBER_ACCESS = {".", "?.", "->", "::"}


def pair_brackets(tokens):
    """Return a dictionary that leads from each bracket with a partner to the partner."""
    partner = {}
    open_brackets = []
    for index, token in enumerate(tokens):
        if token.kind != MARK:
            continue
        if token.text in OPENING:
            open_brackets.append(index)
        elif token.text in CLOSING:
            opening = pop_opening(tokens, open_brackets, CLOSING[token.text])
            if opening is not None:
                partner[opening], partner[index] = index, opening
    return partner


def pop_opening(tokens, open_brackets, mark):
    if not any(tokens[index].text == mark for index in open_brackets):
        return None
    while tokens[open_brackets[-1]].text != mark:
        open_brackets.pop()
    return open_brackets.pop()


@dataclass
class Frame:
    """What is pending between two brackets."""

    conditionals: int = 0  # "?" without its ":"
    loop_target: bool = False  # between Python's "for" and its "in"
    comprehension: bool = False  # after a "for" inside of brackets


class RoleFinder:
    """Gives each token its role, from left to right."""

    def __init__(self, tokens, partner, parameter_lists, language: Language):
        self.tokens = tokens
        self.partner = partner
        self.parameter_lists = parameter_lists  # those that follow a word like "def"
        self.language = language
        self.frames = [Frame()]
        self.after_operand = False

    def run(self):
        for index, token in enumerate(self.tokens):
            token.role, token.operator = self._classify(index, token)
            self.after_operand = self._ends_operand(index, token)

    def _classify(self, index, token):
        if token.kind in (LITERAL, STRING, CHARACTER, METAVARIABLE) or self._is_member(index):
            return OPERAND, None
        if index in self.partner:
            return self._open(index) if token.text in OPENING else self._close()
        if not self._separates(token):
            role, operator = self._operator(token)
            if operator:
                return role, operator
            if token.kind == NAME and token.text not in self.language.reserved:
                return OPERAND, None
        return SEPARATOR, None

    def _is_member(self, index):
        is_name = self.tokens[index].kind == NAME
        return is_name and index > 0 and self.tokens[index - 1].text in MEMBER_ACCESS

    def _open(self, index):
        self.frames.append(Frame())
        if index in self.parameter_lists:
            return PARAMETERS, None
        if not self.after_operand or self.tokens[index].text == "{":
            return GROUP, None
        if self._is_macro(index):
            return CONSTRUCTION, self.language.operators.call
        if self._is_construction(index):
            return CONSTRUCTION, self.language.operators.construction
        if self._is_declared(index):
            return PARAMETERS, None
        return CALL, self.language.operators.call

    def _is_macro(self, index):
        before = self.tokens[index - 1]
        return before.role == POSTFIX and before.text == "!"

    def _is_construction(self, index):
        """Whether the bracket belongs to a "new"; then the name between binds more tightly than "new"."""
        first = index - 1
        while self.tokens[first].role == OPERAND or self.tokens[first].text in MEMBER_ACCESS:
            if first == 0:
                return False
            first -= 1
        if self.tokens[first].text != "new" or self.tokens[first].role != PREFIX:
            return False
        for token in self.tokens[first + 1 : index]:
            if token.operator:
                token.operator = self.language.operators.construction
        return True

    def _close(self):
        self.frames.pop()
        return CLOSE, None

    def _is_declared(self, index):
        """Whether the bracket opens the parameters of a declaration."""
        is_parenthesis = self.tokens[index].text == "("
        return is_parenthesis and (self._follows_declared_name(index) or self._has_body(index))

    def _follows_declared_name(self, index):
        if index < 2 or self.tokens[index - 1].kind not in NAMES:
            return False
        before = self.tokens[index - 2]
        if before.text in self.language.declaring_words:
            return True
        is_type = before.role == OPERAND and before.kind in NAMES
        return self.language.types_before_names and is_type

    def _has_body(self, index):
        following = self.partner[index] + 1
        return following < len(self.tokens) and self.tokens[following].text in self.language.after_parameters

    def _separates(self, token):
        """Whether the token, an operator elsewhere, is none at this place."""
        handlers = {"?": self._question, ":": self._colon}
        if self.language.comprehensions:
            handlers.update({"for": self._for, "in": self._in, "if": self._if})
        return token.text in handlers and handlers[token.text](self.frames[-1])

    def _question(self, frame):
        frame.conditionals += 1
        return False

    def _colon(self, frame):
        if not frame.conditionals:
            return True
        frame.conditionals -= 1
        return False

    def _for(self, frame):
        frame.loop_target = True
        frame.comprehension = len(self.frames) > 1
        return True

    def _in(self, frame):
        was_target, frame.loop_target = frame.loop_target, False
        return was_target

    def _if(self, frame):
        return frame.comprehension

    def _operator(self, token):
        operators = self.language.operators
        if not self.after_operand and token.text in operators.prefix:
            return PREFIX, operators.prefix[token.text]
        if self.after_operand and token.text in operators.postfix:
            return POSTFIX, operators.postfix[token.text]
        if self.after_operand or not token.text.isalpha():
            return BINARY, operators.binary.get(token.text)
        return SEPARATOR, None

    def _ends_operand(self, index, token):
        if token.role != CLOSE:
            return token.role in ENDS_OPERAND
        opening = self.partner[index]
        if token.text == "}":
            return self.language.braces_are_values or self._begins_value(opening)
        return opening == 0 or self.tokens[opening - 1].text not in self.language.control

    def _begins_value(self, index):
        before = self.tokens[index - 1] if index else None
        return before is not None and (
            before.role in (BINARY, PREFIX, CALL, GROUP) and before.text != "{" or before.text == ","
        )


class Code:
    """Source text, or a pattern, as structured tokens."""

    def __init__(self, text, tokens, language: Language, comments=()):
        self.text = text
        self.tokens = tokens
        self.comments = comments
        self.language = language
        self.partner = pair_brackets(tokens)
        self._elements = {}
        self.heads = self._find_heads()
        self.parameter_lists = {head.parameters for head in self.heads.values()}
        RoleFinder(tokens, self.partner, self.parameter_lists, language).run()

    def _find_heads(self):
        """Return the heads of introduced functions by their first tokens."""
        heads = {}
        for first in range(len(self.tokens)):
            head = head_at(self.tokens, self.partner, self.language, first)
            if head and self.text_at(first - 1) not in MEMBER_ACCESS:
                heads[first] = head
        return heads

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
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start + 1]
        return len(line) - len(line.lstrip())

    def element_ends(self, first):
        """Return the ends of the elements that begin at a token, shortest first."""
        if first not in self._elements:
            ends = {end for end in self._expression_ends(first) if self.is_whole(first, end)}
            self._elements[first] = sorted(ends | self._item_ends(first))
        return self._elements[first]

    def is_whole(self, first, end):
        """Whether no operator next to the tokens takes a part of them only."""
        return not (self._is_cut_before(first, end) or self._is_cut_after(first, end))

    def _is_cut_before(self, first, end):
        outer = self.tokens[first - 1] if first else None
        if outer is None or outer.role not in TAKES_RIGHT:
            return False
        if not self._is_expression(first, end):
            return self.tokens[first].role in BEGINS_OPERAND
        return any(
            inner.binding < outer.operator.binding
            or (inner.binding == outer.operator.binding and not outer.operator.groups_right)
            for inner in self._operators(first, end, TAKES_LEFT)
        )

    def _is_cut_after(self, first, end):
        outer = self.tokens[end] if end < len(self.tokens) else None
        if outer is None or outer.role not in TAKES_LEFT:
            return False
        if not self._is_expression(first, end):
            return True
        return any(
            inner.binding < outer.operator.binding
            or (inner.binding == outer.operator.binding and outer.operator.groups_right)
            for inner in self._operators(first, end, TAKES_RIGHT)
        )

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
        return self.after(index) if self.role_at(index) in (OPERAND, PARAMETERS, GROUP) else None

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
