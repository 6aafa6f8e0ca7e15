"""Values that are no numbers, texts or lists."""

from lang.kinds import KINDS
from lang.maps import Map


class Builtin:
    """A function of the language that the host provides.

    One that is control gets the machine and the calling frame, too, and sees to its result itself.
    """

    __slots__ = ("name", "least", "most", "call", "is_control")

    def __init__(self, name, least, most, call, is_control=False):
        self.name = name
        self.least = least
        self.most = most
        self.call = call
        self.is_control = is_control

    def takes(self, count):
        return self.least <= count and (self.most is None or count <= self.most)


class Function:
    """A function of the program, with the cells of the variables that it captured."""

    __slots__ = ("code", "cells")

    def __init__(self, code, cells):
        self.code = code
        self.cells = cells


KINDS |= {Builtin: "function", Function: "function", Map: "map"}
