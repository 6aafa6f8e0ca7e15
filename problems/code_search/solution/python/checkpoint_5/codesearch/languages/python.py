from codesearch.languages.base import DOUBLE_QUOTED, SINGLE_QUOTED, Language, Operators, words

_PREFIX = r"(?:[rR][bBfF]?|[bB][rR]?|[fF][rR]?|[uU])?"
_LONG = r"'''(?:\\[\s\S]|[^\\])*?'''" r'|"""(?:\\[\s\S]|[^\\])*?"""'

PYTHON = Language(
    name="python",
    extensions=(".py",),
    comment=r"#[^\n]*",
    string=f"{_PREFIX}(?:{_LONG}|{SINGLE_QUOTED}|{DOUBLE_QUOTED})",
    punctuation=tuple("**= //= >>= <<= ... ** // >> << <= >= == != -> := += -= *= /= %= &= |= ^= @=".split()),
    joined_words=r"is\s+not\b|not\s+in\b",
    line_ends_matter=True,
    operators=Operators(
        {"right": "= := += -= *= /= //= %= **= >>= <<= &= |= ^= @=", "prefix": "@"},
        {"right": "if else"},
        {"left": "or"},
        {"left": "and"},
        {"prefix": "not"},
        {"left": "in is < > <= >= == != is-not not-in"},
        {"left": "|", "prefix": "* **"},
        {"left": "^"},
        {"left": "&"},
        {"left": "<< >>"},
        {"left": "+ -"},
        {"left": "* / // % @"},
        {"prefix": "+ - ~"},
        {"right": "**"},
        {"prefix": "await"},
        {"left": "."},
    ),
    reserved=words(
        "as assert async break class continue def del elif else except finally for from global if"
        " import lambda nonlocal pass raise return try while with yield"
    ),
    declaring_words=words("class"),
    function_word="def",
    comprehensions=True,
    braces_are_values=True,
)
