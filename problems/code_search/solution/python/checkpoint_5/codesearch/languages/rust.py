from codesearch.languages.base import Language, Operators, words

_RAW = r'r(?P<hashes>#*)"[\s\S]*?"(?P=hashes)'

RUST = Language(
    name="rust",
    extensions=(".rs",),
    comment=r"//[^\n]*|/\*",
    nested_comments=True,
    string=rf'[bc]?(?:{_RAW}|"(?:\\[\s\S]|[^"\\])*")',
    string_body=r'[bc]?r?(?P<hashes>#*)"(?P<body>[\s\S]*)"(?P=hashes)',
    character=r"b?'(?:\\(?:u\{[^}]*\}|x\w\w|.)|[^'\\\n])'",
    number=r"0[xob]\w+|\d[\d_]*(?:\.(?![.A-Za-z_])[\d_]*)?(?:[eE][+-]?\d[\d_]*)?\w*",
    name_prefix=r"(?:'|r\#)?",
    punctuation=tuple(
        "<<= >>= ... ..= :: -> => .. << >> <= >= == != && || += -= *= /= %= &= |= ^=".split()
    ),
    joined_words=r"&mut\b",
    member_access=words(". ::"),
    operators=Operators(
        {"right": "= += -= *= /= %= <<= >>= &= |= ^="},
        {"left": ".. ..="},
        {"left": "||"},
        {"left": "&&"},
        {"left": "== != < > <= >="},
        {"left": "|"},
        {"left": "^"},
        {"left": "&"},
        {"left": "<< >>"},
        {"left": "+ -"},
        {"left": "* / %"},
        {"left": "as"},
        {"prefix": "- * ! & && &mut"},
        {"left": ". ::", "postfix": "? !"},
    ),
    reserved=words(
        "async break const continue dyn else enum extern fn for if impl in let loop match mod move mut"
        " pub ref return static struct trait type unsafe use where while"
    ),
    declaring_words=words("struct"),
    function_word="fn",
)
