"""How long texts and lists can be."""

from lang.errors import Failure

MOST = 1_000_000


def check_size(count):
    if count > MOST:
        raise Failure("size")


class Pieces:
    """A text that is put together, as long as it is not too long.

    `ends` tells for each piece how long the text is with it.
    """

    def __init__(self):
        self.pieces = []
        self.ends = [0]

    def __len__(self):
        return len(self.pieces)

    def add(self, piece):
        end = self.ends[-1] + len(piece)
        check_size(end)
        self.pieces.append(piece)
        self.ends.append(end)

    def span(self, start):
        """The pieces from one on, as they are now."""
        return start, len(self.pieces)

    def repeat(self, span):
        """Adds pieces that have been added before."""
        start, end = span
        check_size(self.ends[-1] + self.ends[end] - self.ends[start])
        self.add("".join(self.pieces[start:end]))

    def joined(self):
        return "".join(self.pieces)


def joined(texts):
    whole = Pieces()
    for text in texts:
        whole.add(text)
    return whole.joined()
