from codesearch.languages.base import (
    C_COMMENT,
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    Language,
    Operators,
    words,
)

_RAW = r'R"(?P<delimiter>[^ ()\\\s]*)\([\s\S]*?\)(?P=delimiter)"'

CPP = Language(
    name="cpp",
    extensions=(".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
    comment=C_COMMENT,
    string=rf"(?:u8|[uUL])?(?:{_RAW}|{SINGLE_QUOTED}|{DOUBLE_QUOTED})",
    punctuation=tuple(
        "<=> <<= >>= ->* ... :: -> ++ -- << >> <= >= == != && || += -= *= /= %= &= |= ^= .* ##".split()
    ),
    directive_mark="#",
    operators=Operators(
        {"right": "= += -= *= /= %= <<= >>= &= |= ^= ? :"},
        {"left": "||"},
        {"left": "&&"},
        {"left": "|"},
        {"left": "^"},
        {"left": "&"},
        {"left": "== !="},
        {"left": "< > <= >="},
        {"left": "<=>"},
        {"left": "<< >>"},
        {"left": "+ -"},
        {"left": "* / %"},
        {"left": ".* ->*"},
        {"prefix": "! ~ + - * & ++ -- sizeof delete co_await"},
        {"left": ". -> ::", "prefix": "new", "postfix": "++ --"},
    ),
    reserved=words(
        "alignas break case catch class const constexpr continue co_return co_yield default do else enum"
        " explicit extern for friend goto if inline namespace noexcept operator private protected public"
        " return static struct switch template throw try typedef typename union using virtual"
        " volatile while"
    ),
    control=words("catch for if switch while"),
    after_parameters=words("{ const final noexcept override"),
    types_before_names=True,
)
