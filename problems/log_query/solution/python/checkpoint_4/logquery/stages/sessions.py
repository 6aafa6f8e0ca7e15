"""The stage that finds sessions: rows that follow each other closely."""

from decimal import Decimal

from logquery.compiler import compile_expression, compile_identity
from logquery.errors import QueryFailure
from logquery.expressions import parse_expression, parse_operand
from logquery.frames import distance
from logquery.phrases import number_of
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
        rows = list(rows)
        sessions = {}
        for members in self._partitions(rows):
            members.sort(key=lambda member: sort_key(member[1]))
            for number, session in enumerate(self._split(members), 1):
                sessions.update(describe(number, session))
        for index, row in enumerate(rows):
            changed = dict(row)
            self.target.put(changed, sessions.get(index, MISSING))
            yield changed

    def _partitions(self, rows):
        """The numbers of rows, with their moments, that have one; those of the same keys together."""
        partitions = {}
        for index, row in enumerate(rows):
            moment = self.moment_of(row)
            if not is_absent(moment) and type(moment) not in (Decimal, Time):
                raise QueryFailure("type", self.position)
            identity = self.identity(row)
            if not is_absent(moment):
                partitions.setdefault(identity, []).append((index, moment))
        return partitions.values()

    def _split(self, members):
        session = []
        for member in members:
            if session and not self._belongs(member[1], session):
                yield session
                session = []
            session.append(member)
        yield session

    def _belongs(self, moment, session):
        since_last = distance(session[-1][1], moment)
        if since_last is None or since_last > self.gap:
            return False
        return self.longest is None or distance(session[0][1], moment) <= self.longest


def describe(number, session):
    """For the number of each row of a session, the object that its place is set to."""
    common = {"start": session[0][1], "end": session[-1][1], "rows": Decimal(len(session))}
    for place, (index, _) in enumerate(session, 1):
        yield index, {"n": Decimal(number), "place": Decimal(place), **common}
