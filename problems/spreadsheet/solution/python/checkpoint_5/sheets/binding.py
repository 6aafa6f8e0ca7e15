"""Formulas whose names and sheets have become what they stand for."""

from collections import namedtuple

from sheets.cells import Area
from sheets.graph import components
from sheets.nodes import Literal, Name, Range, Reference, mentioned_names, rebuild, walk
from sheets.values import Error


class BoundCell(namedtuple("BoundCell", ["cell"])):
    __slots__ = ()

    @property
    def area(self):
        sheet, row, column = self.cell
        return Area(sheet, row, column, row, column)


BoundRange = namedtuple("BoundRange", ["area"])


class BoundFormula:
    def __init__(self, node):
        self.node = node
        areas = [part.area for part in walk(node) if isinstance(part, (BoundCell, BoundRange))]
        self.areas = list(dict.fromkeys(areas))


def bind(node, home, sheet_numbers, names):
    """The tree without names and without names of sheets.

    `home` is the number of the formula's own sheet; `sheet_numbers` and `names` give what folded names stand for.
    """

    def change(leaf):
        match leaf:
            case Name(name):
                return names.get(name.casefold(), Literal(Error.NAME))
            case Reference(sheet, position):
                number = home if sheet is None else sheet_numbers.get(sheet.casefold())
                return Literal(Error.REF) if number is None else BoundCell((number, *position.place))
            case Range(sheet, first, last):
                number = home if sheet is None else sheet_numbers.get(sheet.casefold())
                if number is None:
                    return Literal(Error.REF)
                return BoundRange(Area(number, *first.place, *last.place))
        return leaf

    return rebuild(node, change)


def names_leading_to(changed, formulas):
    """All names whose formulas lead to one that changed, and these."""
    leading = set(changed)
    users = {}
    for name, node in formulas.items():
        for used in mentioned_names(node):
            users.setdefault(used, []).append(name)
    waiting = list(changed)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in leading:
                leading.add(user)
                waiting.append(user)
    return leading


def bind_names(formulas, sheet_numbers):
    """The bound trees of all names, from trees by folded name; those that lead back to themselves are errors."""
    uses = {name: mentioned_names(node) & formulas.keys() for name, node in formulas.items()}
    bound = {}
    for group in components(formulas, uses.__getitem__):
        name = group[0]
        if len(group) > 1 or name in uses[name]:
            bound.update(dict.fromkeys(group, Literal(Error.CYCLE)))
        else:
            bound[name] = bind(formulas[name], None, sheet_numbers, bound)
    return bound
