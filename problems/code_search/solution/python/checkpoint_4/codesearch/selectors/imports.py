"""Import statements and directives, by language."""

from codesearch.matches import Match
from codesearch.selectors.captures import text_captures, token_captures
from codesearch.selectors.text import string_body
from codesearch.roles import OPERAND
from codesearch.tokens import STRING


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


FINDERS = {"python": python_import, "javascript": javascript_import, "cpp": cpp_import}
