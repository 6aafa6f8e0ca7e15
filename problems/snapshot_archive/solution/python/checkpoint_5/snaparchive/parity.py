"""Parity: for each group of files one more, from which any one of them can be made again."""

import hashlib
import json
import re
from collections import namedtuple
from itertools import chain

from snaparchive import jsontext
from snaparchive.contents import combined, digest, digest_of, pieces
from snaparchive.errors import Failure

NAME = re.compile(r"[0-9]{6}")
MOST_MEMBERS = 1000


class Member(namedtuple("Member", ["file", "sha256", "size"])):
    __slots__ = ()

    def to_json(self):
        return {"file": self.file, "sha256": self.sha256, "size": self.size}


class Group(namedtuple("Group", ["name", "members", "sha256", "start"])):
    """What a parity file says of itself, and where in it the parity begins."""

    __slots__ = ()


def group_name(number):
    return f"parity/{number:06}"


def names(store):
    return sorted(f"parity/{name}" for name in store.list("parity") if NAME.fullmatch(name))


def remove_all(store):
    for name in names(store):
        store.remove(name)


def protect(store, files, size):
    """Make parity files anew for groups of so many files, and return how many these are."""
    members = [Member(name, digest(store.path(name)), store.size(name)) for name in files]
    groups = [members[start : start + size] for start in range(0, len(members), size)]
    remove_all(store)
    for number, group in enumerate(groups, 1):
        write_group(store, group_name(number), group)
    return len(groups)


def write_group(store, name, members):
    sha256 = digest_of(combine(store, members))
    header = jsontext.canonical({"members": [member.to_json() for member in members], "sha256": sha256})
    check_line = hashlib.sha256(header).hexdigest().encode("ascii") + b"\n"
    store.write(name, chain([check_line + header], combine(store, members)))


def combine(store, members):
    return combined(store.read(member.file) for member in members)


def read_group(store, name):
    """Return the group of a parity file; Failure if what it says of itself is damaged."""
    with open(store.path(name), "rb") as file:
        check_line, header = file.readline(), file.readline()
        start = file.tell()
    if check_line != hashlib.sha256(header).hexdigest().encode("ascii") + b"\n":
        raise Failure("damaged", file=name)
    value = json.loads(header)
    return Group(name, [Member(**member) for member in value["members"]], value["sha256"], start)


def own_parity(store, group):
    """Yield the parity of a parity file, what comes after its header."""
    with open(store.path(group.name), "rb") as file:
        file.seek(group.start)
        yield from pieces(file)


def is_whole(store, group):
    """Whether the parity itself is what the group says."""
    return digest_of(own_parity(store, group)) == group.sha256


def lost_member(store, group, lost):
    """Yield the content of a member, made from all others, which must be whole."""
    others = [store.read(member.file) for member in group.members if member is not lost]
    left = lost.size
    for piece in combined([own_parity(store, group), *others]):
        yield piece[:left]
        left -= len(piece[:left])
