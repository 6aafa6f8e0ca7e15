"""Functions that search ranges."""

from decimal import Decimal

from sheets import numbers
from sheets.functions.base import Kind, function, whole
from sheets.functions.criteria import equal_to, parse_criterion
from sheets.operators import sort_key
from sheets.values import Error, settled, severest


def index(grid, *places):
    counted = [whole(place, 1) for place in places]
    if None in counted:
        return Error.VALUE
    place = counted if len(counted) == 2 else along(grid, counted[0])
    if place is None or place[0] > grid.shape[0] or place[1] > grid.shape[1]:
        return Error.REF
    return grid.at(*place)


def along(grid, count):
    """The place so far along a single row or column, or None."""
    rows, columns = grid.shape
    if columns == 1:
        return count, 1
    return (1, count) if rows == 1 else None


def match(value, grid, mode=numbers.ZERO):
    if mode not in (-1, 0, 1) or 1 not in grid.shape:
        return Error.VALUE
    sought = numbers.ZERO if value is None else value
    place = first_equal(grid, sought) if mode == 0 else nearest(grid, sort_key(sought), below=mode == 1)
    return Error.NA if place is None else Decimal(max(place))


def first_equal(grid, sought):
    """The place of the first cell that is equal, or None."""
    criterion = equal_to(sought)
    return next((place for place, value in grid.filled() if criterion.accepts(value)), None)


def nearest(grid, key, below):
    """The place of the value closest to a key on one side; the last such below, the first above."""
    best_place = best_key = None
    for place, value in grid.filled():
        other = None if isinstance(value, Error) else sort_key(value)
        if other is None or other[0] != key[0] or (other > key if below else other < key):
            continue
        if best_key is None or (other >= best_key if below else other < best_key):
            best_place, best_key = place, other
    return best_place


def look_up(value, grid, column):
    counted = whole(column, 1)
    if counted is None:
        return Error.VALUE
    if counted > grid.shape[1]:
        return Error.REF
    place = first_equal(grid.first_column(), numbers.ZERO if value is None else value)
    return Error.NA if place is None else grid.at(place[0], counted)


def count_if(grid, value):
    criterion = parse_criterion(value)
    if isinstance(criterion, Error):
        return criterion
    values = grid.values()
    accepted = sum(map(criterion.accepts, values))
    if criterion.accepts(None):
        accepted += len(grid) - len(values)
    return Decimal(accepted)


def sum_if(grid, value, summed=None):
    criterion = parse_criterion(value)
    summands = grid if summed is None else summed
    if summands.shape != grid.shape:
        return Error.VALUE
    if isinstance(criterion, Error):
        return criterion
    chosen = [number for place, number in summands.filled() if criterion.accepts(grid.at(*place))]
    error = severest(chosen)
    return error or settled(numbers.exact_sum(number for number in chosen if isinstance(number, Decimal)))


FUNCTIONS = {
    "INDEX": function(index, Kind.RANGE, Kind.NUMBER, Kind.NUMBER, optional=1),
    "MATCH": function(match, Kind.VALUE, Kind.RANGE, Kind.NUMBER, optional=1),
    "VLOOKUP": function(look_up, Kind.VALUE, Kind.RANGE, Kind.NUMBER),
    "COUNTIF": function(count_if, Kind.RANGE, Kind.VALUE),
    "SUMIF": function(sum_if, Kind.RANGE, Kind.VALUE, Kind.RANGE, optional=1),
}
