"""Tokens that are read one after the other."""

from logquery.errors import QueryFailure
from logquery.tokens import tokenize

RESERVED = {"and", "or", "not", "in", "is", "like", "null", "true", "false", "missing", "as", "asc", "desc"}


class TokenStream:
    """Tokens with what they are read in: `views` are the pipelines that have names, and `parse_pipeline` reads one
    that stands inside another."""

    def __init__(self, lines, views, parse_pipeline):
        self.tokens = tokenize(lines)
        self.views = views
        self.parse_pipeline = parse_pipeline
        self.index = 0

    @property
    def current(self):
        return self.tokens[self.index]

    def next(self):
        token = self.current
        self.index += 1
        return token

    def failure(self):
        return QueryFailure("syntax", self.current.position)

    def at(self, *texts):
        """Whether the current token is one of these words or operators."""
        return self.current.kind in ("word", "operator") and self.current.text in texts

    def is_next(self, text):
        """Whether the token behind the current one is this operator."""
        following = self.tokens[self.index + 1]
        return following.kind == "operator" and following.text == text

    def take(self, *texts):
        """The current token, if it is one of these words or operators, else None."""
        return self.next() if self.at(*texts) else None

    def expect(self, *texts):
        if not self.at(*texts):
            raise self.failure()
        return self.next()

    def at_end_of_stage(self):
        return self.current.kind == "end" or self.at("|", ")")

    def at_name(self):
        token = self.current
        return token.kind == "name" or (token.kind == "word" and token.text not in RESERVED)

    def name(self):
        """The token of a column's name."""
        if not self.at_name():
            raise self.failure()
        return self.next()

    def of_kind(self, kind):
        if self.current.kind != kind:
            raise self.failure()
        return self.next()

    def separated(self, read):
        """One or more of what `read` reads, between commas."""
        items = [read(self)]
        while self.take(","):
            items.append(read(self))
        return tuple(items)
