"""Values that are no numbers, texts or lists."""

from lang.kinds import KINDS
from lang.maps import Map


class Builtin:
    """A function of the language that the host provides."""

    __slots__ = ("name", "least", "most", "call")

    def __init__(self, name, least, most, call):
        self.name = name
        self.least = least
        self.most = most
        self.call = call


class Function:
    """A function of the program, with the cells of the variables that it captured."""

    __slots__ = ("code", "cells")

    def __init__(self, code, cells):
        self.code = code
        self.cells = cells


KINDS |= {Builtin: "function", Function: "function", Map: "map"}
