"""The stage that orders rows."""

from logquery.ordering import Ordering, parse_criterion
from logquery.spilling import Sorter


class Sort:
    def __init__(self, tokens):
        self.criteria = tokens.separated(parse_criterion)

    def bind(self):
        self.ordering = Ordering(self.criteria)

    def apply(self, rows):
        sorter = Sorter()
        for row in rows:
            sorter.add(self.ordering.key(row), row)
        yield from sorter
