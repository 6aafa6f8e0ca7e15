"""Finding out which removed file became which added one."""

from collections import defaultdict, namedtuple
from fractions import Fraction
from itertools import chain

from snaparchive import entries
from snaparchive.lines import common_bytes

LONGEST = 1 << 20

Rename = namedtuple("Rename", ["source", "target", "percent"])


def find_renames(old, new, removed, added, threshold):
    """Pair removed with added entries, the best pairs first."""
    pairing = Pairing(removed, added)
    pairing.pair_identical()
    pairing.pair_similar(old, new, Fraction(threshold, 100))
    return pairing.renames


class Pairing:
    def __init__(self, removed, added):
        self.sources = {entry.path: entry for entry in removed if can_move(entry)}
        self.targets = {entry.path: entry for entry in added if can_move(entry)}
        self.renames = []

    def pair(self, source, target, percent):
        self.renames.append(Rename(source, target, percent))
        del self.sources[source.path], self.targets[target.path]

    def pair_identical(self):
        """Pair equal contents, first those with equal names, then each in the order of paths."""
        for key_of in (lambda entry: (identity(entry), last_part(entry)), identity):
            sources = grouped(self.sources.values(), key_of)
            targets = grouped(self.targets.values(), key_of)
            for key in sources.keys() & targets.keys():
                for source, target in zip(entries.by_path(sources[key]), entries.by_path(targets[key])):
                    self.pair(source, target, 100)

    def pair_similar(self, old, new, least):
        """Pair files by the lines of their contents, each of which is looked at once, whatever its names are."""
        sources = grouped(regular(self.sources.values()), identity)
        targets = grouped(regular(self.targets.values()), identity)
        levels = defaultdict(lambda: defaultdict(list))
        for source, target, common in common_bytes(old, compared(sources), new, compared(targets)):
            similarity = Fraction(2 * common, source.size + target.size)
            if similarity >= least:
                levels[similarity][identity(source)].append(identity(target))
        for similarity in sorted(levels, reverse=True):
            self.pair_level(levels[similarity], sources, targets, min(99, int(similarity * 100)))

    def pair_level(self, similar, sources, targets, percent):
        """Pair files of equally similar contents, first those with equal names, each in the order of paths.

        `similar` are the contents in NEW for each content in OLD; the others are the files by their contents.
        """
        for name_of in (last_part, lambda entry: None):
            queues = self.waiting_targets(similar, targets, name_of)
            waiting = [source for content in similar for source in sources[content] if source.path in self.sources]
            for source in entries.by_path(waiting):
                fitting = (queues.get((content, name_of(source))) for content in similar[identity(source)])
                target = take_first(list(filter(None, fitting)))
                if target:
                    self.pair(source, target, percent)

    def waiting_targets(self, similar, targets, name_of):
        """Return the files that have no pair yet by their contents and names, each list from the last path on."""
        queues = defaultdict(list)
        for content in set(chain.from_iterable(similar.values())):
            for target in reversed(entries.by_path(targets[content])):
                if target.path in self.targets:
                    queues[content, name_of(target)].append(target)
        return queues


def take_first(queues):
    """Take the entry whose path is the first at the end of a list, or None if there are no lists."""
    return min(queues, key=lambda queue: queue[-1].path).pop() if queues else None


def can_move(entry):
    return isinstance(entry, entries.Link) or isinstance(entry, entries.File) and entry.size > 0


def identity(entry):
    if isinstance(entry, entries.Link):
        return entry.type, entry.target
    return entry.type, entry.sha256


def last_part(entry):
    return entry.path.rpartition(b"/")[2]


def grouped(items, key_of):
    groups = defaultdict(list)
    for item in items:
        groups[key_of(item)].append(item)
    return groups


def regular(items):
    return [item for item in items if isinstance(item, entries.File)]


def compared(groups):
    """Return a file of each content that is not too long to be compared."""
    return [first for first, *_ in groups.values() if first.size <= LONGEST]
