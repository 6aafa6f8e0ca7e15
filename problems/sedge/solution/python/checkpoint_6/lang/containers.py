"""Items of texts, lists and maps."""

from lang.errors import Failure
from lang.kinds import is_number
from lang.maps import Map


def item_at(container, index):
    if type(container) not in (str, list, Map):
        raise Failure("type")
    return container[checked_index(container, index)]


def put_at(container, index, value):
    container = changeable(container)
    container[checked_index(container, index)] = value


def changeable(container):
    if type(container) not in (list, Map):
        raise Failure("type")
    return container


def checked_index(container, index):
    if type(container) is Map:
        return index
    if not is_number(index):
        raise Failure("type")
    if type(index) is not int or not 0 <= index < len(container):
        raise Failure("index")
    return index


def mapped(container):
    """The container, which has to be a map."""
    if type(container) is not Map:
        raise Failure("type")
    return container
