"""Finds, reads and parses the sources of a program."""

import os

from lang.errors import StaticError
from lang.lexer import decode
from lang.modules import Module
from lang.parser import parse


class Sources:
    """The modules of a program, by their names, in the order in which they were begun to load."""

    def __init__(self, root):
        self.root = root
        self.modules = {}

    def read(self, name):
        with open(os.path.join(self.root, name), "rb") as file:
            return file.read()

    def load(self, name, data):
        """Loads a module and, depth first, those that it uses."""
        module = Module(name)
        self.modules[name] = module
        try:
            module.program = parse(decode(data))
        except StaticError as error:
            module.errors.append(error)
            return module
        for use in module.uses():
            use.module = self.used(module, use)
        return module

    def used(self, module, use):
        """The module that is used, or None if there is none."""
        name = resolved(module.name, use.path)
        if name is None:
            module.errors.append(StaticError("path", use.path_position))
            return None
        if name in self.modules:
            return self.modules[name]
        try:
            data = self.read(name)
        except (OSError, ValueError):
            module.errors.append(StaticError("file", use.path_position))
            return None
        return self.load(name, data)


def resolved(name, path):
    """The name of the source that a path means in another, or None."""
    parts = name.split("/")[:-1]
    for part in path.split("/"):
        if part == "" or part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
