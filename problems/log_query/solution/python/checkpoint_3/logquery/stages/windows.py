"""The stage that sets columns by the rows around each row."""

from logquery.compiler import compile_expression
from logquery.expressions import parse_expression
from logquery.frames import parse_frame
from logquery.ordering import Ordering, parse_criterion
from logquery.phrases import parse_setting
from logquery.values import sort_key
from logquery.windowcalls import WindowScope


class Window:
    def __init__(self, tokens):
        self.assignments = tokens.separated(parse_setting)
        self.keys = tokens.separated(parse_expression) if tokens.take("by") else ()
        self.criteria = tokens.separated(parse_criterion) if tokens.take("sort") else ()
        self.frame = parse_frame(tokens, is_sorted=bool(self.criteria))

    def bind(self):
        self.scope = WindowScope()
        self.settings = [(target, compile_expression(value, self.scope)) for target, value in self.assignments]
        self.key_values = [compile_expression(key) for key in self.keys]
        self.ordering = Ordering(self.criteria)

    def apply(self, rows):
        rows = list(rows)
        results = [None] * len(rows)
        for places in self._partitions(rows):
            self.ordering.sort(places)
            for place, of_place in zip(places, self._results(places), strict=True):
                results[place.row[0]] = of_place
        for row, of_row in zip(rows, results, strict=True):
            self.scope.results[:] = of_row
            yield self._with_columns(row)

    def _partitions(self, rows):
        """Places of the rows that belong together, each with the row's number and what the calls take of it."""
        partitions = {}
        for number, row in enumerate(rows):
            identity = tuple([sort_key(value(row)) for value in self.key_values])
            place = self.ordering.place(row, (number, []))
            self.frame.check(place)
            place.row[1].extend([call.value(row) for call in self.scope.calls])
            partitions.setdefault(identity, []).append(place)
        return partitions.values()

    def _results(self, places):
        """For each place the results of all calls."""
        if not self.scope.calls:
            return ((),) * len(places)
        runs = self.frame.runs(places)
        columns = zip(*[place.row[1] for place in places], strict=True)
        return zip(
            *[call.results(places, values, runs) for call, values in zip(self.scope.calls, columns, strict=True)],
            strict=True,
        )

    def _with_columns(self, row):
        changed = dict(row)
        for target, value in self.settings:
            target.put(changed, value(changed))
        return changed
