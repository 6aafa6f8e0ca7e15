"""A file that remembers every change, one line of JSON each."""

import os

from jobqueue.values import parse_line, write_line


class Journal:
    def __init__(self, path):
        self.path = path
        self.file = None

    def replay(self):
        """Return the changes of earlier runs, and get ready to append to them."""
        changes = []
        end = 0
        if os.path.exists(self.path):
            with open(self.path, "rb") as file:
                for line in file:
                    # The last line may be cut off: then its request was never answered.
                    if not line.endswith(b"\n"):
                        break
                    changes.append(parse_line(line))
                    end += len(line)
        self.file = open(self.path, "ab")
        self.file.truncate(end)
        return changes

    def append(self, change):
        self.file.write(write_line(change).encode() + b"\n")
        self.file.flush()
