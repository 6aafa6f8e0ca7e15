"""Parts of snapshots: what is selected, and the folders around it."""

from itertools import compress

from snaparchive.entries import File, Folder, HardLink, as_file
from snaparchive.openfolders import OpenFolders
from snaparchive.snapshots import Totals


class Part:
    """The entries of a snapshot that are selected, and the folders around them."""

    def __init__(self, snapshot, selection):
        self.snapshot = snapshot
        self.chosen = chosen_places(snapshot.entries(), selection)
        self.totals = Totals()
        for _ in self.totals.of(self.entries()):
            pass

    def entries(self):
        """Yield the entries in order; names of a file stay together."""
        return rejoined(compress(self.snapshot.entries(), self.chosen), self.snapshot.totals.targets)


def chosen_places(entries, selection):
    """Return for each entry, as 0 or 1, whether it is selected or around something that is."""
    chosen = bytearray()
    folders = OpenFolders(None)
    for entry, is_selected in selection.judge(entries):
        around = folders.around(entry.path)
        if isinstance(entry, Folder):
            folders.open((len(chosen), around))
        chosen.append(is_selected)
        while is_selected and around and not chosen[around[0]]:
            place, around = around
            chosen[place] = 1
    return chosen


def rejoined(entries, targets):
    """Yield entries, of each file the first name as its file, and the others as names of that.

    `targets` are the hashes of the paths of files that have several names.
    """
    first_names = {}
    for entry in entries:
        if isinstance(entry, File) and hash(entry.path) in targets:
            first_names[entry.path] = entry
        elif isinstance(entry, HardLink):
            first = first_names.setdefault(entry.target, as_file(entry))
            entry = first if first.path == entry.path else HardLink(entry.path, first.path, first)
        yield entry
