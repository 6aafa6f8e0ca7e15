"""How long texts and lists can be."""

from lang.errors import Failure

MOST = 1_000_000


def check_size(count):
    if count > MOST:
        raise Failure("size")


class Pieces:
    """A text that is put together, as long as it is not too long."""

    def __init__(self):
        self.pieces = []
        self.length = 0

    def add(self, piece):
        self.length += len(piece)
        check_size(self.length)
        self.pieces.append(piece)

    def joined(self):
        return "".join(self.pieces)


def joined(texts):
    whole = Pieces()
    for text in texts:
        whole.add(text)
    return whole.joined()
