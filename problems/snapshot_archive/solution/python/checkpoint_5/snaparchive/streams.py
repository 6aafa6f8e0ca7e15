"""Pieces that are read as if they were a file."""


class Stream:
    def __init__(self, pieces):
        self.pieces = iter(pieces)
        self.rest = b""

    def read(self, length):
        """Return up to so many of the next bytes, none only at the end."""
        while not self.rest:
            try:
                self.rest = next(self.pieces)
            except StopIteration:
                return b""
        found, self.rest = self.rest[:length], self.rest[length:]
        return found
