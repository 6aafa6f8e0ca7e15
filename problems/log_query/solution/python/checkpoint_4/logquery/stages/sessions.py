"""The stage that finds sessions: rows that follow each other closely."""

from decimal import Decimal

from logquery.compiler import compile_expression, compile_identity
from logquery.errors import QueryFailure
from logquery.expressions import parse_expression, parse_operand
from logquery.frames import distance
from logquery.phrases import number_of
from logquery.spilling import Sorter
from logquery.targets import parse_target
from logquery.times import Time
from logquery.values import MISSING, is_absent, sort_key


class Session:
    """Sets a place to what there is to know about each row's session."""

    def __init__(self, tokens):
        self.target = parse_target(tokens)
        self.position = tokens.expect("of").position
        self.moment = parse_operand(tokens)
        tokens.expect("gap")
        self.gap = number_of(tokens)
        self.longest = number_of(tokens) if tokens.take("max") else None
        self.keys = tokens.separated(parse_expression) if tokens.take("by") else ()

    def bind(self):
        self.moment_of = compile_expression(self.moment)
        self.identity = compile_identity(self.keys)

    def apply(self, rows):
        in_order = Sorter()
        for group in self._partitions(rows, in_order).groups():
            members = sorted(group, key=lambda member: sort_key(member[0]))
            for number, session in enumerate(self._split(members), 1):
                limits = session[0][0], session[-1][0], len(session)
                for place, (_, row_number, row) in enumerate(session, 1):
                    in_order.add(row_number, (row, (number, place, *limits)))
        for row, place in in_order:
            changed = dict(row)
            self.target.put(changed, MISSING if place is None else describe(*place))
            yield changed

    def _partitions(self, rows, others):
        """The moments, numbers and rows of those that have a moment; the others are put elsewhere, by their numbers."""
        partitions = Sorter()
        for number, row in enumerate(rows):
            moment = self.moment_of(row)
            if not is_absent(moment) and type(moment) not in (Decimal, Time):
                raise QueryFailure("type", self.position)
            identity = self.identity(row)
            if is_absent(moment):
                others.add(number, (row, None))
            else:
                partitions.add(identity, (moment, number, row))
        return partitions

    def _split(self, members):
        session = []
        for member in members:
            if session and not self._belongs(member[0], session):
                yield session
                session = []
            session.append(member)
        yield session

    def _belongs(self, moment, session):
        since_last = distance(session[-1][0], moment)
        if since_last is None or since_last > self.gap:
            return False
        return self.longest is None or distance(session[0][0], moment) <= self.longest


def describe(number, place, start, end, rows):
    """The object that tells of a row in which session, and where in it, it is."""
    return {"n": Decimal(number), "place": Decimal(place), "start": start, "end": end, "rows": Decimal(rows)}
