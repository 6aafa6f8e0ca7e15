"""Import statements and directives, by language."""

from codesearch.matches import Match
from codesearch.selectors.captures import text_captures, token_captures
from codesearch.selectors.text import string_body
from codesearch.roles import OPERAND
from codesearch.tokens import NAME, STRING


def find_imports(code):
    finder = FINDERS[code.language.name]
    for first in range(len(code.tokens)):
        yield from finder(code, first)


def find_end(code, index, texts):
    """Return the index of the next token with one of the texts outside of brackets, or of the end."""
    while index < len(code.tokens) and code.tokens[index].text not in texts:
        index = code.after(index)
    return index


def python_import(code, first):
    begins_statement = first == 0 or code.text_at(first - 1) in ("\n", ";", ":")
    word = code.text_at(first)
    if not begins_statement or word not in ("import", "from"):
        return
    name_ends = {"import": (",", "as", ";", "\n"), "from": ("import", "\n")}
    name = (first + 1, find_end(code, first + 1, name_ends[word]))
    end = find_end(code, first, (";", "\n"))
    yield Match(*code.span(first, end), token_captures(code, NAME=name))


def javascript_import(code, first):
    is_word = code.text_at(first) == "import" and code.role_at(first) != OPERAND
    if not is_word or code.text_at(first + 1) in ("(", "."):
        return
    module = first + 1
    while module < len(code.tokens) and code.tokens[module].kind != STRING:
        if code.tokens[module].text == ";":
            return
        module = code.after(module)
    if module < len(code.tokens):
        end = module + 1 + (code.text_at(module + 1) == ";")
        yield Match(*code.span(first, end), text_captures(NAME=string_body(code, code.tokens[module])))


def cpp_import(code, first):
    if code.text_at(first) != "#" or code.text_at(first + 1) != "include":
        return
    header = first + 2
    if code.kind_at(header) == STRING:
        name = text_captures(NAME=string_body(code, code.tokens[header]))
        yield Match(*code.span(first, header + 1), name)
    elif code.text_at(header) == "<":
        closing = find_end(code, header, (">", "\n"))
        yield Match(*code.span(first, closing + 1), token_captures(code, NAME=(header + 1, closing)))


def go_import(code, first):
    if code.text_at(first) != "import" or code.role_at(first) == OPERAND:
        return
    if code.text_at(first + 1) == "(":
        for path in range(first + 2, code.after(first + 1)):
            yield from go_entry(code, path - begins_go_entry(code, path - 1), path)
    else:
        yield from go_entry(code, first, first + 1 + begins_go_entry(code, first + 1))


def begins_go_entry(code, index):
    """Whether the token is the name before an import's path."""
    return code.kind_at(index) == NAME or code.text_at(index) == "."


def go_entry(code, first, path):
    if code.kind_at(path) == STRING:
        name = text_captures(NAME=string_body(code, code.tokens[path]))
        yield Match(*code.span(first, path + 1), name)


def rust_import(code, first):
    if code.text_at(first) == "use" and code.role_at(first) != OPERAND:
        yield from terminated_import(code, first, first + 1)


def java_import(code, first):
    if code.text_at(first) == "import" and code.role_at(first) != OPERAND:
        yield from terminated_import(code, first, first + 1 + (code.text_at(first + 1) == "static"))


def terminated_import(code, first, name):
    """Yield the import whose name reaches to the semicolon."""
    end = find_end(code, name, (";",))
    if end < len(code.tokens):
        yield Match(*code.span(first, end + 1), token_captures(code, NAME=(name, end)))


FINDERS = {
    "python": python_import,
    "javascript": javascript_import,
    "cpp": cpp_import,
    "go": go_import,
    "rust": rust_import,
    "java": java_import,
}
