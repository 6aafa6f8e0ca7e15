"""Making good what is missing or damaged: from sources, or from parity."""

from snaparchive import inspection, parity, snapshots
from snaparchive.store import SNAPSHOTS, NewFile, digits


class Repair:
    """What was repaired, and how, by the names of files."""

    def __init__(self, store, sources):
        self.store = store
        self.sources = sources
        self.done = {}

    def run(self):
        """Repair until nothing more can be, and return the defects that stay."""
        while True:
            state = inspection.inspect(self.store)
            found = [finding for finding in inspection.findings(self.store, state) if finding.is_defect]
            with self.store.writing():
                if not self.repair([finding.file for finding in found], state):
                    return found

    def repair(self, names, state):
        """Repair what can be at once, and return whether it was anything."""
        number_before = len(self.done)
        lost = [name for name in names if name not in state.broken_parity]
        for number, source in enumerate(self.sources):
            for name in source.give([name for name in lost if name not in self.done]):
                self.done[name] = {"repaired": "source", "source": number}
        for name in names:
            if name not in self.done:
                self.repair_by_parity(name, state)
        return len(self.done) > number_before

    def repair_by_parity(self, name, state):
        if name in state.broken_parity:
            self.renew_parity(name, state)
            return
        for group in state.groups.values():
            lost = [member for member in group.members if not state.is_good(member.file)]
            is_whole = group.name not in state.broken_parity
            if is_whole and [member.file for member in lost] == [name] and self.make_again(group, lost[0]):
                self.done[name] = {"repaired": "parity"}
                return

    def make_again(self, group, lost):
        """Write a member from all others, and return whether it is of use: what is no snapshot stays a defect."""
        new = NewFile(self.store, "member")
        for piece in parity.lost_member(self.store, group, lost):
            new.write(piece)
        new.close()
        if lost.file.startswith(SNAPSHOTS) and not snapshots.is_good(self.store, new.name, digits(lost.file)):
            return False
        new.move_to(lost.file)
        return True

    def renew_parity(self, name, state):
        group = state.groups.get(name)
        if group and all(state.is_good(member.file) for member in group.members):
            parity.write_group(self.store, name, group.members)
            self.done[name] = {"repaired": "members"}

    def to_json(self, left):
        lines = [{"file": name, **how} for name, how in self.done.items()]
        lines += [finding.to_json() for finding in left]
        return [*sorted(lines, key=lambda line: line["file"]), {"repaired": len(self.done), "defects": len(left)}]
