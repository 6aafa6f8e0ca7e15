"""How a command can fail."""


class Failure(Exception):
    """A command that ends without having done its work."""

    exit_code = 1

    def __init__(self, code, **details):
        super().__init__(code)
        self.code = code
        self.details = details

    def to_json(self):
        return {"error": self.code, **self.details}


class WrongUsage(Failure):
    """A command line that makes no sense."""

    exit_code = 2

    def __init__(self):
        super().__init__("usage")
