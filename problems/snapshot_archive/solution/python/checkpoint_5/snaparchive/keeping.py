"""Keeping what was found, so that it need not be found again, as far as there is room."""


class Kept(dict):
    """Values by their keys, of which there are never more than a certain number."""

    def __init__(self, most):
        super().__init__()
        self.most = most

    def keep(self, key, value):
        if len(self) >= self.most:
            self.clear()
        self[key] = value
