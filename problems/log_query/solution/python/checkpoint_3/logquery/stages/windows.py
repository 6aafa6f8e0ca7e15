"""The stage that sets columns by the rows around each row."""

from logquery.compiler import compile_expression, compile_identity
from logquery.expressions import parse_expression
from logquery.frames import parse_frame
from logquery.ordering import Ordering, Place, parse_criterion
from logquery.phrases import parse_setting
from logquery.spilling import Sorter, Spool
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
        self.identity = compile_identity(self.keys)
        self.ordering = Ordering(self.criteria)

    def apply(self, rows):
        kept = Spool()
        in_order = Sorter()
        for group in self._partitions(rows, kept).groups():
            places = sorted(map(Place._make, group), key=lambda place: place.key)
            for place, results in zip(places, self._results(places), strict=True):
                in_order.add(place.number, results)
        for row, results in zip(kept, in_order, strict=True):
            self.scope.results[:] = results
            yield self._with_columns(row)

    def _partitions(self, rows, kept):
        """Places of the rows that belong together, each with the row's number and what the calls take of it. The rows
        themselves are kept elsewhere."""
        partitions = Sorter()
        for number, row in enumerate(rows):
            identity = self.identity(row)
            place = self.ordering.place(number, row, [])
            self.frame.check(place)
            place.details.extend([call.value(row) for call in self.scope.calls])
            partitions.add(identity, tuple(place))
            kept.add(row)
        return partitions

    def _results(self, places):
        """For each place the results of all calls."""
        if not self.scope.calls:
            return ((),) * len(places)
        runs = self.frame.runs(places)
        columns = zip(*[place.details for place in places], strict=True)
        return zip(
            *[call.results(places, values, runs) for call, values in zip(self.scope.calls, columns, strict=True)],
            strict=True,
        )

    def _with_columns(self, row):
        changed = dict(row)
        for target, value in self.settings:
            target.put(changed, value(changed))
        return changed
