"""Finding out which removed file became which added one."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction

from snaparchive import entries

LONGEST = 1 << 20


@dataclass(frozen=True)
class Rename:
    source: entries.Entry
    target: entries.Entry
    percent: int


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
        candidates = []
        sources = with_lines(old, self.sources.values())
        targets = with_lines(new, self.targets.values())
        for source, target, common in common_bytes(sources, targets):
            similarity = Fraction(2 * common, source.size + target.size)
            if similarity >= least:
                candidates.append((similarity, source, target))
        for similarity, source, target in sorted(candidates, key=rank):
            if source.path in self.sources and target.path in self.targets:
                self.pair(source, target, min(99, int(similarity * 100)))


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


def rank(candidate):
    similarity, source, target = candidate
    return -similarity, last_part(source) != last_part(target), source.path, target.path


def with_lines(side, items):
    """Return each file that may be compared with how often it has which line."""
    counted = []
    for entry in items:
        if isinstance(entry, entries.File) and entry.size <= LONGEST:
            content = side.content(entry)
            if content is not None:
                counted.append((entry, Counter(lines(content))))
    return counted


def lines(content):
    parts = content.split(b"\n")
    last = parts.pop()
    found = [part + b"\n" for part in parts]
    return found + [last] if last else found


def common_bytes(sources, targets):
    """Yield all pairs that have lines in common, with how many bytes these are."""
    having = defaultdict(list)
    for index, (_, counts) in enumerate(targets):
        for line, count in counts.items():
            having[line].append((index, count))
    for source, counts in sources:
        common = Counter()
        for line, count in counts.items():
            for index, other in having.get(line, ()):
                common[index] += min(count, other) * len(line)
        for index, total in common.items():
            yield source, targets[index][0], total
