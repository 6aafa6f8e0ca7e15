"""Changes that can be taken back."""

MISSING = object()


class Changes:
    """Makes all changes of what the server keeps, and remembers their inverses during a transaction."""

    def __init__(self):
        self.inverses = None

    def begin(self):
        self.inverses = []

    def commit(self):
        self.inverses = None

    def undo(self):
        """Take back all changes since the beginning, the latest first."""
        for function, *arguments in reversed(self.inverses):
            function(*arguments)
        self.inverses = None

    def remember(self, function, *arguments):
        if self.inverses is not None:
            self.inverses.append((function, *arguments))

    def set(self, target, name, value):
        self.remember(setattr, target, name, getattr(target, name))
        setattr(target, name, value)

    def put(self, mapping, key, value):
        self.remember(restore, mapping, key, mapping.get(key, MISSING))
        mapping[key] = value

    def remove(self, mapping, key):
        self.remember(restore, mapping, key, mapping.pop(key))

    def append(self, items, item):
        self.remember(items.pop)
        items.append(item)


def restore(mapping, key, value):
    if value is MISSING:
        del mapping[key]
    else:
        mapping[key] = value
