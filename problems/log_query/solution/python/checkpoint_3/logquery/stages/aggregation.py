"""The stage that makes one row of each group of rows."""

from logquery.calls import AggregateScope
from logquery.compiler import compile_expression
from logquery.errors import QueryFailure
from logquery.phrases import parse_assignment
from logquery.stages.shaping import parse_item, set_column
from logquery.values import MISSING, sort_key


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
        for group in self._groups(rows):
            yield self._row(group)

    def _groups(self, rows):
        calls = self.scope.calls
        groups = {} if self.keys else {(): Group([], calls)}
        for row in rows:
            keys = [value(row) for value in self.key_columns.values()]
            identity = tuple(map(sort_key, keys))
            group = groups.get(identity)
            if group is None:
                group = groups[identity] = Group(keys, calls)
            group.join([call.value(row) for call in calls])
        return groups.values()

    def _row(self, group):
        """The keys, then the columns, each seeing those before it."""
        calls = self.scope.calls
        self.scope.results[:] = [
            call.result(aggregate) for call, aggregate in zip(calls, group.aggregates, strict=True)
        ]
        row = {}
        for name, value in zip(self.key_columns, group.keys, strict=True):
            set_column(row, name, value)
        for name, value in self.columns.items():
            set_column(row, name, value(row))
        return row
