from codesearch.languages.base import (
    C_COMMENT,
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    Language,
    Operators,
    words,
)

JAVASCRIPT = Language(
    name="javascript",
    extensions=(".js", ".mjs", ".cjs"),
    comment=C_COMMENT,
    string=rf"{SINGLE_QUOTED}|{DOUBLE_QUOTED}|`(?:\\[\s\S]|[^`\\])*`",
    regex_literal=r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/\w*",
    punctuation=tuple(
        ">>>= === !== **= <<= >>= >>> &&= ||= ??= ... => == != <= >= && || ?? ?. ++ -- += -= *= /="
        " %= &= |= ^= << >> **".split()
    ),
    name_sigils="$",
    operators=Operators(
        {"right": "= => += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??="},
        {"right": "? :"},
        {"left": "|| ??"},
        {"left": "&&"},
        {"left": "|"},
        {"left": "^"},
        {"left": "&"},
        {"left": "== != === !=="},
        {"left": "< > <= >= in instanceof"},
        {"left": "<< >> >>>"},
        {"left": "+ -"},
        {"left": "* / %"},
        {"right": "**"},
        {"prefix": "! ~ + - ++ -- typeof void delete await"},
        {"left": ". ?.", "prefix": "new", "postfix": "++ --"},
    ),
    reserved=words(
        "break case catch class const continue debugger default do else export extends finally for"
        " function if import let return switch throw try var while with yield"
    ),
    control=words("catch for if switch while with"),
    function_word="function",
    after_parameters=words("{ =>"),
)
