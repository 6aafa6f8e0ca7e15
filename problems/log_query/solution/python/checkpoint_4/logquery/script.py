"""Scripts: statements and their answers."""

import io
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


def answer(statement, views, answers):
    try:
        parse_statement(TokenStream(statement, views, parse_pipeline)).carry_out(answers)
    except Failure as failure:
        answers.write(f"error {failure}\n")


def run(script, answers):
    """Answers each statement of a binary stream on another."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    use_context()
    lines = (raw.decode("utf-8").removesuffix("\n") for raw in script)
    views = {}
    output = io.TextIOWrapper(answers, encoding="utf-8", newline="\n")
    for statement in statements(lines):
        answer(statement, views, output)
    output.flush()
