"""The role that each token of a sequence plays."""

from dataclasses import dataclass

from codesearch.languages.base import Language
from codesearch.tokens import CHARACTER, CLOSING, LITERAL, MARK, METAVARIABLE, NAME, OPENING, STRING

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
BEFORE_VALUE = {BINARY, PREFIX, CALL, GROUP}
NAMES = {NAME, METAVARIABLE}


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
        return is_name and index > 0 and self.tokens[index - 1].text in self.language.member_access

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
        while self.tokens[first].role == OPERAND or self.tokens[first].text in self.language.member_access:
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
        """Whether a brace opens a value, such as an object, and no block."""
        if index == 0:
            return False
        before = self.tokens[index - 1]
        return before.text == "," or (before.role in BEFORE_VALUE and before.text != "{")
