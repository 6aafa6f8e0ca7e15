"""The stages of queries by name. Making one reads it from tokens; `bind` compiles its expressions, in the order of
positions; `apply` makes rows of rows."""

from logquery.stages.aggregation import Aggregate
from logquery.stages.filtering import Distinct, Limit, Skip, Tail, Where
from logquery.stages.filling import Fill
from logquery.stages.joins import AntiJoin, AsofJoin, FullJoin, Join, LeftJoin, SemiJoin
from logquery.stages.sessions import Session
from logquery.stages.shaping import Drop, Expand, Let, Select
from logquery.stages.sorting import Sort
from logquery.stages.windows import Window

STAGES = {
    "where": Where,
    "let": Let,
    "select": Select,
    "drop": Drop,
    "expand": Expand,
    "sort": Sort,
    "distinct": Distinct,
    "limit": Limit,
    "skip": Skip,
    "tail": Tail,
    "aggregate": Aggregate,
    "window": Window,
    "session": Session,
    "fill": Fill,
    "join": Join,
    "left": LeftJoin,
    "full": FullJoin,
    "semi": SemiJoin,
    "anti": AntiJoin,
    "asof": AsofJoin,
}
