"""Functions and methods with a body."""

from codesearch.matches import Match
from codesearch.selectors.captures import token_captures
from codesearch.roles import OPERAND, PARAMETERS
from codesearch.tokens import LINE_END, NAME

NAME_MARKS = {"::", "~"}
NO_BODY = {";", "=", "=>", ")", "]", "}"}


def find_functions(code):
    for first in range(len(code.tokens)):
        yield from function_at(code, first)


def function_at(code, first):
    """Yield the function that begins at a token, if one does."""
    header = introduced_header(code, first) or plain_header(code, first)
    if header is None:
        return
    name, parameters = header
    end = body_end(code, first, code.after(parameters))
    if end is not None:
        captures = token_captures(code, NAME=name, ARGS=(parameters + 1, code.after(parameters) - 1))
        yield Match(*code.span(first, end), captures)


def introduced_header(code, first):
    """Return the name's run and the parameters' bracket after a word like "def"."""
    token = code.tokens[first]
    if token.kind != NAME or token.text != code.language.function_word or token.role == OPERAND:
        return None
    name = first + 1
    if code.text_at(name) == "*":
        name += 1
    parameters = name + code.is_name(name)
    return ((name, parameters), parameters) if code.text_at(parameters) == "(" else None


def plain_header(code, first):
    """Return the same for a function that begins with its name."""
    end = first
    while code.is_name(end) and code.text_at(end + 1) == "::":
        end += 2
    end += code.text_at(end) == "~"
    if not code.is_name(end) or code.role_at(end + 1) != PARAMETERS or not is_name_begin(code, first):
        return None
    return (first, end + 1), end + 1


def is_name_begin(code, first):
    """Whether the token is neither in the middle of a name nor behind a word that declares it."""
    before = code.text_at(first - 1)
    if before == "*":
        before = code.text_at(first - 2)
    return before not in NAME_MARKS and before not in code.language.declaring_words


def body_end(code, first, after_parameters):
    if code.language.line_ends_matter:
        return suite_end(code, first, after_parameters)
    index = after_parameters
    while index < len(code.tokens) and code.tokens[index].text not in NO_BODY:
        if code.tokens[index].text == "{":
            return code.after(index) if index in code.partner else None
        index = code.after(index)
    return None


def suite_end(code, first, after_parameters):
    """Return the end of a Python function's body."""
    colon = skip_until(code, after_parameters, ":")
    line_end = skip_until(code, colon, "\n")
    if line_end > colon + 1:
        return line_end
    indentation = code.indentation(first)
    end = line_end
    while end + 1 < len(code.tokens) and code.indentation(end + 1) > indentation:
        end = skip_until(code, end + 1, "\n")
    return end if end > line_end else None


def skip_until(code, index, text):
    """Return the index of the next token with the text, at the end of the line at the latest."""
    while code.tokens[index].text != text and code.tokens[index].kind != LINE_END:
        index = code.after(index)
    return index
