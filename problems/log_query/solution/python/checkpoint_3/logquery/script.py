"""Scripts: statements and their answers."""

import sys

from logquery.errors import Failure
from logquery.numbers import use_context
from logquery.pipeline import parse_pipeline, parse_statement
from logquery.tokens import BLANKS
from logquery.tokenstream import TokenStream

RECURSION_LIMIT = 100000


def statements(lines):
    """Lists of numbered lines: a line, and those after it that begin with a bar."""
    statement = []
    for number, text in enumerate(lines, 1):
        content = text.strip(BLANKS)
        if not content or content.startswith("#"):
            continue
        if statement and not content.startswith("|"):
            yield statement
            statement = []
        statement.append((number, text))
    if statement:
        yield statement


def answer(statement, views):
    """The lines that answer a statement."""
    try:
        return parse_statement(TokenStream(statement, views, parse_pipeline)).carry_out()
    except Failure as failure:
        return [f"error {failure}"]


def run(script, answers):
    """Answers each statement of a binary stream on another."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    use_context()
    lines = (raw.decode("utf-8").removesuffix("\n") for raw in script)
    views = {}
    for statement in statements(lines):
        answers.write("".join(f"{line}\n" for line in answer(statement, views)).encode("utf-8"))
