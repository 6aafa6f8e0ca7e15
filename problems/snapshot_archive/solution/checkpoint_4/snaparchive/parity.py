"""Parity: for each group of files one more, from which any one of them can be made again."""

import hashlib
import json
import re
from contextlib import ExitStack
from dataclasses import dataclass

from snaparchive import jsontext
from snaparchive.contents import PIECE, digest
from snaparchive.errors import Failure

NAME = re.compile(r"[0-9]{6}")
MOST_MEMBERS = 1000


@dataclass(frozen=True)
class Member:
    file: str
    sha256: str
    size: int

    def to_json(self):
        return {"file": self.file, "sha256": self.sha256, "size": self.size}


@dataclass(frozen=True)
class Group:
    """What a parity file says of itself, and where in it the parity begins."""

    name: str
    members: list
    sha256: str
    start: int

    @property
    def length(self):
        return max(member.size for member in self.members)


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
    hasher = hashlib.sha256()
    for piece in combined(store, [member.file for member in members]):
        hasher.update(piece)
    header = jsontext.canonical({"members": [member.to_json() for member in members], "sha256": hasher.hexdigest()})
    check_line = hashlib.sha256(header).hexdigest().encode("ascii") + b"\n"

    def chunks():
        yield check_line + header
        yield from combined(store, [member.file for member in members])

    store.write(name, chunks())


def combined(store, files, skipped=None):
    """Yield the exclusive or of files, shorter ones filled with zeros; of a parity file, what is after its header."""
    with ExitStack() as stack:
        opened = [stack.enter_context(open(store.path(file), "rb")) for file in files]
        if skipped is not None:
            opened[0].seek(skipped)
        while pieces := [piece for file in opened if (piece := file.read(PIECE))]:
            total = 0
            for piece in pieces:
                total ^= int.from_bytes(piece, "little")
            yield total.to_bytes(max(map(len, pieces)), "little")


def read_group(store, name):
    """Return the group of a parity file; Failure if what it says of itself is damaged."""
    with open(store.path(name), "rb") as file:
        check_line, header = file.readline(), file.readline()
        start = file.tell()
    if check_line != hashlib.sha256(header).hexdigest().encode("ascii") + b"\n":
        raise Failure("damaged", file=name)
    value = json.loads(header)
    return Group(name, [Member(**member) for member in value["members"]], value["sha256"], start)


def is_whole(store, group):
    """Whether the parity itself is what the group says."""
    hasher = hashlib.sha256()
    for piece in combined(store, [group.name], group.start):
        hasher.update(piece)
    return hasher.hexdigest() == group.sha256


def lost_member(store, group, lost):
    """Yield the content of a member, made from all others, which must be whole."""
    others = [member.file for member in group.members if member is not lost]
    left = lost.size
    for piece in combined(store, [group.name, *others], group.start):
        yield piece[:left]
        left -= len(piece[:left])
