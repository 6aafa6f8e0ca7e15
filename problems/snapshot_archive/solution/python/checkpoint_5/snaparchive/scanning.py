"""Reading text that may be longer than the memory, from one pattern to the next."""

# Longer than any entry of a tree that a file system can hold.
LONGEST = 1 << 20


class Scanner:
    """The pieces of a text, and what of them has been read but not taken."""

    def __init__(self, chunks):
        self.chunks = iter(chunks)
        self.ahead = b""
        self.place = 0

    def take(self, pattern):
        """Return the match of what comes next; ValueError if that does not match.

        What ends a match must be unlike what can follow it: the text at hand may end amid what is to be matched.
        """
        while not (match := pattern.match(self.ahead, self.place)):
            self.read_on()
        self.place = match.end()
        return match

    def read_on(self):
        rest = self.ahead[self.place :]
        chunk = next(self.chunks, b"")
        if not chunk or len(rest) > LONGEST:
            raise ValueError("something else comes next")
        self.ahead, self.place = rest + chunk, 0

    def take_end(self):
        if self.place < len(self.ahead) or next(self.chunks, b""):
            raise ValueError("something comes after the end")
