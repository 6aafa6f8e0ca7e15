"""The stage that orders rows."""

from logquery.ordering import Ordering, parse_criterion


class Sort:
    def __init__(self, tokens):
        self.criteria = tokens.separated(parse_criterion)

    def bind(self):
        self.ordering = Ordering(self.criteria)

    def apply(self, rows):
        places = [self.ordering.place(row, row) for row in rows]
        self.ordering.sort(places)
        return (place.row for place in places)
