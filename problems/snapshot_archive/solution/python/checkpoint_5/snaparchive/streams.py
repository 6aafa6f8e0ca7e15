"""Pieces that are read as if they were a file."""


class Stream:
    def __init__(self, pieces):
        self.pieces = iter(pieces)
        self.piece = b""
        self.place = 0

    def read(self, length):
        """Return so many of the next bytes, fewer only at the end."""
        found = []
        while length:
            if self.place == len(self.piece):
                self.piece, self.place = next(self.pieces, None), 0
                if self.piece is None:
                    self.piece = b""
                    break
            part = self.piece[self.place : self.place + length]
            self.place += len(part)
            length -= len(part)
            found.append(part)
        return b"".join(found)
