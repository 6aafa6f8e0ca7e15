"""Which folders the paths of a tree are in, when they come one after the other."""

from bisect import bisect_left


class OpenFolders:
    """Values of the folders that something can still come into.

    Paths are long, and trees large. But in the order of bytes, nothing comes into a folder any more once a path does
    not begin with the folder's. So the last path and some lengths are enough.
    """

    def __init__(self, of_root):
        self.of_root = of_root
        self.last = b""
        self.lengths = []
        self.values = []

    def around(self, path):
        """Return the value of the folder that the next path is in; ValueError if it is in none."""
        while self.lengths and not path.startswith(self.last[: self.lengths[-1]]):
            self.lengths.pop()
            self.values.pop()
        self.last = path
        end = path.rfind(b"/")
        if end < 0:
            return self.of_root
        place = bisect_left(self.lengths, end)
        if place == len(self.lengths) or self.lengths[place] != end:
            raise ValueError(f"{path!r} is in no folder")
        return self.values[place]

    def open(self, value):
        """Note that the last path is that of a folder."""
        self.lengths.append(len(self.last))
        self.values.append(value)
