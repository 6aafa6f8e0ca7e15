"""Functions of values of several types."""

from decimal import Decimal

from logquery.functions.base import function, total
from logquery.values import kind_of

STRUCTURE = {
    "length": function(lambda value: Decimal(len(value)), (str, list, dict)),
    "keys": function(list, (dict,)),
    "type": total(kind_of),
}
