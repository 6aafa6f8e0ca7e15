"""What a language is made of, as far as searching needs it."""

from dataclasses import dataclass

NAME = r"[^\W\d]\w*"
NUMBER = (
    r"0[xXoObB]\w+"
    r"|(?:\d(?:'?[\d_])*(?:\.(?![.A-Za-z_])[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?\w*"
)
DOUBLE_QUOTED = r'"(?:\\[\s\S]|[^"\\\n])*"'
SINGLE_QUOTED = r"'(?:\\[\s\S]|[^'\\\n])*'"
STRING_BODY = r"""\w*(?P<quote>\"{3}|'{3}|["'`])(?P<body>[\s\S]*)(?P=quote)"""
C_COMMENT = r"//[^\n]*|/\*[\s\S]*?\*/"


@dataclass(frozen=True)
class Operator:
    """How tightly an operator binds, and which of its equals goes first."""

    binding: int
    groups_right: bool = False

    def goes_before(self, following):
        """Whether the operand between this operator and a following one is this operator's."""
        if self.binding == following.binding:
            return not self.groups_right
        return self.binding > following.binding


class Operators:
    """A language's operators by their place.

    Built from levels, loosest first. A level maps places to operators: "left" and "right" are
    binary operators that group to that side, "prefix" and "postfix" have one operand. Call and
    subscript bind like the tightest level, the arguments of "new" more tightly still.
    """

    def __init__(self, *levels):
        self.binary = {}
        self.prefix = {}
        self.postfix = {}
        for binding, level in enumerate(levels):
            self._add(self.binary, level.get("left", ""), Operator(binding))
            self._add(self.binary, level.get("right", ""), Operator(binding, groups_right=True))
            self._add(self.prefix, level.get("prefix", ""), Operator(binding))
            self._add(self.postfix, level.get("postfix", ""), Operator(binding))
        self.call = Operator(len(levels) - 1)
        self.construction = Operator(len(levels))

    @staticmethod
    def _add(table, names, operator):
        table.update(dict.fromkeys(names.split(), operator))


@dataclass(frozen=True)
class Language:
    name: str
    extensions: tuple
    operators: Operators
    # Lexis: regular expressions, except for the punctuation, which is a list of longer marks.
    comment: str
    string: str
    punctuation: tuple
    character: str = ""
    string_body: str = STRING_BODY  # the group "body" is what stands between the quotes
    joined_words: str = ""  # operators of several words
    name_sigils: str = ""  # characters besides letters, digits and "_" in names
    regex_literal: str = ""
    # Line ends are tokens: everywhere outside of brackets, or where the line begins with a mark.
    line_ends_matter: bool = False
    directive_mark: str = ""
    # Words that are neither values nor operators.
    reserved: frozenset = frozenset()
    # Words whose parenthesis (as in "if (x)") is no operand.
    control: frozenset = frozenset()
    # How the declaration of a function differs from a call.
    declaring_words: frozenset = frozenset()
    function_word: str = ""
    after_parameters: frozenset = frozenset()
    types_before_names: bool = False
    # Python's "for … in … if" inside of brackets.
    comprehensions: bool = False
    # Whether braces hold a value wherever they stand.
    braces_are_values: bool = False


def words(text):
    return frozenset(text.split())
