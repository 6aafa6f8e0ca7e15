"""Formulas whose sheets are named anew."""

from sheets.nodes import Literal, Range, Reference, rebuild
from sheets.values import Error


def with_sheets(node, spellings):
    """The tree with sheets named as `spellings` says by folded name; where it says None, the sheet is gone."""

    def change(leaf):
        if not isinstance(leaf, (Reference, Range)) or leaf.sheet is None:
            return leaf
        spelling = spellings.get(leaf.sheet.casefold(), leaf.sheet)
        return Literal(Error.REF) if spelling is None else leaf._replace(sheet=spelling)

    return rebuild(node, change)


def on_sheet(node, sheet):
    """The tree with all that is on no named sheet put on this one."""

    def change(leaf):
        if isinstance(leaf, (Reference, Range)) and leaf.sheet is None:
            return leaf._replace(sheet=sheet)
        return leaf

    return rebuild(node, change)
