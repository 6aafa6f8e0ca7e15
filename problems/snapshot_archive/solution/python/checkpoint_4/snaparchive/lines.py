"""The lines that contents have in common."""

from array import array
from collections import Counter, defaultdict
from io import BytesIO

# So many lines of NEW are in memory at once.
MOST_LINES = 1 << 14


def common_bytes(old, sources, new, targets):
    """Yield pairs of a source and a target that have lines in common, with how many bytes these are.

    The lines of all targets may be too many for the memory. They are looked at in parts, and the sources for each part.
    """
    common = [array("L", bytes(array("L").itemsize * len(targets))) for _ in sources]
    for having in parts_of_lines(new, targets):
        for totals, source in zip(common, sources):
            counts = Counter(line for line in lines(old, source) if line in having)
            for line, count in counts.items():
                for place, other in having[line]:
                    totals[place] += min(count, other) * len(line)
    for totals, source in zip(common, sources):
        for total, target in zip(totals, targets):
            if total:
                yield source, target, total


def parts_of_lines(side, files):
    """Yield part after part of the lines in files: for each line the places of files that have it, and how often."""
    number = sum(1 for file in files for _ in lines(side, file)) // MOST_LINES + 1
    for part in range(number):
        having = defaultdict(list)
        for place, file in enumerate(files):
            for line, count in Counter(line for line in lines(side, file) if hash(line) % number == part).items():
                having[line].append((place, count))
        yield having


def lines(side, file):
    """Return the lines of a content, one by one; none if it cannot be had."""
    return BytesIO(side.content(file) or b"")
