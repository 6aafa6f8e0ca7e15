"""What ends a command early, and what it then prints."""

WRONG_NETLIST = 1
WRONG_CALL = 2
DIFFERENT = 3


class CommandError(Exception):
    """Ends the program with these lines and this exit code."""

    def __init__(self, lines, exit_code):
        super().__init__(lines)
        self.lines = lines
        self.exit_code = exit_code


class SyntaxProblem(Exception):
    """A token that cannot stand where it does."""

    def __init__(self, token):
        super().__init__(token)
        self.position = token.position


class Problems:
    """The errors of a netlist, each of them once, in the order of their positions."""

    CODES = (
        "module",
        "declared",
        "assigned",
        "input",
        "register",
        "undriven",
        "undefined",
        "unknown",
        "parameters",
        "recursive",
        "port",
        "open",
        "number",
        "range",
        "width",
        "arity",
        "cycle",
    )

    def __init__(self):
        self.found = []

    def add(self, position, code, *details, rank=0):
        """The rank decides among errors of one code at one position, before their texts do."""
        self.found.append((position, self.CODES.index(code), rank, " ".join((code, *map(str, details)))))

    def lines(self):
        return [f"{line}:{column} {text}" for (line, column), *_, text in sorted(set(self.found))]
