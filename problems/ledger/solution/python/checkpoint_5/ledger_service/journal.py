"""A file that remembers every request that changed something, one line of JSON each."""

import json
import os


class Journal:
    def __init__(self, path):
        self.path = path
        self.file = None

    def replay(self):
        """Return the requests of earlier runs, and get ready to append to them."""
        requests = []
        end = 0
        if os.path.exists(self.path):
            with open(self.path, "rb") as file:
                for line in file:
                    # The last line may be cut off: then its request was never answered.
                    if not line.endswith(b"\n"):
                        break
                    requests.append(json.loads(line))
                    end += len(line)
        self.file = open(self.path, "ab")
        self.file.truncate(end)
        return requests

    def append(self, request):
        self.file.write(json.dumps(request).encode() + b"\n")
        self.file.flush()
