from codesearch.languages.base import (
    C_COMMENT,
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    Language,
    Operators,
    words,
)

GO = Language(
    name="go",
    extensions=(".go",),
    comment=C_COMMENT,
    string=rf"{DOUBLE_QUOTED}|`[^`]*`",
    character=SINGLE_QUOTED,
    punctuation=tuple(
        "<<= >>= &^= ... := <- ++ -- << >> <= >= == != && || &^ += -= *= /= %= &= |= ^=".split()
    ),
    operators=Operators(
        {"right": "= := += -= *= /= %= <<= >>= &= |= ^= &^=", "postfix": "++ --"},
        {"left": "||"},
        {"left": "&&"},
        {"left": "== != < <= > >="},
        {"left": "+ - | ^"},
        {"left": "* / % << >> & &^"},
        {"prefix": "+ - ! ^ * & <-"},
        {"left": "."},
    ),
    reserved=words(
        "break case chan const continue default defer else fallthrough for func go goto if import"
        " interface map package range return select struct switch type var"
    ),
    function_word="func",
    ends_signature=words("; => ) ] } const func type var"),
)
