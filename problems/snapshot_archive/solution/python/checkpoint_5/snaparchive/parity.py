"""Parity: for each group of files one more, from which any one of them can be made again."""

import hashlib
import json
import re
from collections import namedtuple
from itertools import chain

from snaparchive import jsontext
from snaparchive.contents import Stretch, combined, digest, digest_of
from snaparchive.errors import Failure

NAME = re.compile(r"[0-9]{6}")
MOST_MEMBERS = 1000
CHECK_LINE = 65
# Longer than any header of so many members.
LONGEST_HEADER = 1 << 20


class Member(namedtuple("Member", ["file", "sha256", "size"])):
    __slots__ = ()

    def to_json(self):
        return {"file": self.file, "sha256": self.sha256, "size": self.size}


class Group(namedtuple("Group", ["name", "members", "sha256", "parity"])):
    """What a parity file says of itself, and the part of it that is the parity."""

    __slots__ = ()


def group_name(number):
    return f"parity/{number:06}"


def names(store):
    return [f"parity/{name}" for name in store.list("parity") if NAME.fullmatch(name)]


def remove_all(store):
    for name in names(store):
        store.remove(name)


def protect(store, files, size):
    """Make parity files anew for groups of so many files, and return how many these are."""
    members = [Member(name, digest(store.path(name)), store.size(name)) for name in files]
    groups = [members[start : start + size] for start in range(0, len(members), size)]
    remove_all(store)
    with store.writing():
        for number, group in enumerate(groups, 1):
            write_group(store, group_name(number), group)
    return len(groups)


def write_group(store, name, members):
    sha256 = digest_of(combine(store, members))
    header = jsontext.canonical({"members": [member.to_json() for member in members], "sha256": sha256}) + b"\n"
    check_line = hashlib.sha256(header).hexdigest().encode("ascii") + b"\n"
    store.write(name, chain([check_line + header], combine(store, members)))


def combine(store, members):
    return combined(stretch(store, member) for member in members)


def stretch(store, member):
    return Stretch(store.path(member.file), 0, member.size)


def read_group(store, name):
    """Return the group of a parity file; Failure if what it says of itself is damaged."""
    with open(store.path(name), "rb") as file:
        check_line, header = file.readline(CHECK_LINE), file.readline(LONGEST_HEADER)
        start = file.tell()
    if check_line != hashlib.sha256(header).hexdigest().encode("ascii") + b"\n":
        raise Failure("damaged", file=name)
    value = json.loads(header)
    parity = Stretch(store.path(name), start, store.size(name) - start)
    return Group(name, [Member(**member) for member in value["members"]], value["sha256"], parity)


def is_whole(group):
    """Whether the parity itself is what the group says."""
    return digest_of(group.parity.pieces()) == group.sha256


def lost_member(store, group, lost):
    """Yield the content of a member, made from all others, which must be whole."""
    others = [stretch(store, member) for member in group.members if member is not lost]
    left = lost.size
    for piece in combined([group.parity, *others]):
        yield piece[:left]
        left -= len(piece[:left])
