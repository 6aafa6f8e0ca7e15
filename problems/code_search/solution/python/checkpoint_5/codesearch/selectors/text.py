import re

from codesearch.matches import Match
from codesearch.selectors.captures import text_captures
from codesearch.tokens import STRING

COMMENT_BODY = re.compile(r"(?:#|//|/\*)\s*(?P<body>[\s\S]*?)\s*(?:\*/)?\Z")


def string_body(code, token):
    """Return the span between the quotes."""
    start, end = re.fullmatch(code.language.string_body, token.text).span("body")
    return token.start + start, token.start + end


def find_strings(code):
    for token in code.tokens:
        if token.kind == STRING:
            yield Match(token.start, token.end, text_captures(TEXT=string_body(code, token)))


def comment_body(comment):
    """Return the span of what a comment says."""
    start, end = COMMENT_BODY.match(comment.text).span("body")
    return comment.start + start, comment.start + end


def find_comments(code):
    for token in code.comments:
        yield Match(token.start, token.end, text_captures(TEXT=comment_body(token)))
