from codesearch.languages.base import (
    C_COMMENT,
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    Language,
    Operators,
    words,
)

JAVA = Language(
    name="java",
    extensions=(".java",),
    comment=C_COMMENT,
    string=rf'"""(?:\\[\s\S]|[^\\])*?"""|{DOUBLE_QUOTED}',
    character=SINGLE_QUOTED,
    punctuation=tuple(
        ">>>= <<= >>= >>> ... :: -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^=".split()
    ),
    name_sigils="$",
    member_access=words(". ::"),
    operators=Operators(
        {"right": "= -> += -= *= /= %= <<= >>= >>>= &= |= ^="},
        {"right": "? :"},
        {"left": "||"},
        {"left": "&&"},
        {"left": "|"},
        {"left": "^"},
        {"left": "&"},
        {"left": "== !="},
        {"left": "< > <= >= instanceof"},
        {"left": "<< >> >>>"},
        {"left": "+ -"},
        {"left": "* / %"},
        {"prefix": "! ~ + - ++ --"},
        {"left": ". ::", "prefix": "new @", "postfix": "++ --"},
    ),
    reserved=words(
        "abstract assert break case catch class const continue default do else enum extends final finally"
        " for goto if implements import interface native package private protected public return"
        " static strictfp switch synchronized throw throws transient try volatile while"
    ),
    control=words("catch for if switch synchronized try while"),
    declaring_words=words("record"),
    after_parameters=words("{ throws"),
    types_before_names=True,
)
