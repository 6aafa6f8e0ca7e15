"""The stage that makes one row of each group of rows."""

from logquery.calls import AggregateScope
from logquery.compiler import compile_expression
from logquery.errors import QueryFailure
from logquery.phrases import parse_assignment
from logquery.spilling import Sorter
from logquery.stages.shaping import parse_item, set_column
from logquery.values import MISSING, key_of_all

# So many groups are kept in memory.
MOST_GROUPS = 2000


class Group:
    """The values of a group's keys, and its aggregates."""

    def __init__(self, keys, calls):
        self.keys = keys
        self.aggregates = [call.start() for call in calls]
        self.size = 0

    def join(self, values):
        for aggregate, value in zip(self.aggregates, values, strict=True):
            if value is not MISSING:
                aggregate.join(self.size, value)
        self.size += 1

    def results(self, calls):
        return [call.result(aggregate) for call, aggregate in zip(calls, self.aggregates, strict=True)]


class Aggregate:
    def __init__(self, tokens):
        self.assignments = tokens.separated(parse_assignment)
        self.keys = tokens.separated(parse_item) if tokens.take("by") else ()

    def bind(self):
        self.scope = AggregateScope()
        self.columns = {}
        for name, expression in self.assignments:
            if name.text in self.columns:
                raise QueryFailure("column", name.position)
            self.columns[name.text] = compile_expression(expression, self.scope)
        self.key_columns = {}
        for expression, name, position in self.keys:
            value = compile_expression(expression)
            if name in self.columns or name in self.key_columns:
                raise QueryFailure("column", position)
            self.key_columns[name] = value

    def apply(self, rows):
        for keys, results in self._groups(rows):
            yield self._row(keys, results)

    def _groups(self, rows):
        """The keys and results of all groups, in order. Those that are too many for the memory begin behind the
        first row of all others."""
        calls = self.scope.calls
        groups = {} if self.keys else {(): Group([], calls)}
        others = Sorter()
        most = 0 if self.keys and any(call.keeps_values for call in calls) else MOST_GROUPS
        for number, row in enumerate(rows):
            keys = [value(row) for value in self.key_columns.values()]
            identity = key_of_all(keys)
            values = [call.value(row) for call in calls]
            group = groups.get(identity)
            if group is None and len(groups) < most:
                group = groups[identity] = Group(keys, calls)
            if group is None:
                others.add(identity, (number, keys, values))
            else:
                group.join(values)
        yield from ((group.keys, group.results(calls)) for group in groups.values())
        groups.clear()
        yield from self._other_groups(others)

    def _other_groups(self, others):
        in_order = Sorter()
        for members in others.groups():
            number, keys, values = next(members)
            group = Group(keys, self.scope.calls)
            group.join(values)
            for _, _, values in members:
                group.join(values)
            in_order.add(number, (keys, group.results(self.scope.calls)))
        yield from in_order

    def _row(self, keys, results):
        """The keys, then the columns, each seeing those before it."""
        self.scope.results[:] = results
        row = {}
        for name, value in zip(self.key_columns, keys, strict=True):
            set_column(row, name, value)
        for name, value in self.columns.items():
            set_column(row, name, value(row))
        return row
