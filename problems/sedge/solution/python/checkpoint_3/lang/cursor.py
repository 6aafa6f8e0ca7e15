"""A place in a row of tokens, from which parsers take what they expect."""

from lang.errors import StaticError


class Cursor:
    def __init__(self, tokens):
        self.tokens = tokens
        self.index = 0

    @property
    def token(self):
        return self.tokens[self.index]

    @property
    def kind(self):
        return self.tokens[self.index].kind

    @property
    def following(self):
        """The kind of the token after the next."""
        index = min(self.index + 1, len(self.tokens) - 1)
        return self.tokens[index].kind

    def advance(self):
        token = self.tokens[self.index]
        if token.fault:
            raise token.fault
        self.index += 1
        return token

    def accept(self, kind):
        """The next token, if it is of this kind."""
        return self.advance() if self.kind == kind else None

    def expect(self, kind):
        if self.kind != kind:
            raise self.fault()
        return self.advance()

    def fault(self):
        return StaticError("syntax", self.token.position)

    def separated(self, read, closing):
        """Items with commas between, up to the closing token, which is taken too."""
        items = []
        while not self.accept(closing):
            if items:
                self.expect(",")
            items.append(read())
        return items
