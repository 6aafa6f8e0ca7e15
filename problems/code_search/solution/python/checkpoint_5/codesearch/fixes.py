"""Fixes: templates, which of them are applied, and writing the result."""

import bisect
import re

from codesearch.errors import RuleError

REFERENCE = re.compile(r"\$(?:(?P<dollar>\$)|(?P<group>\d)|(?P<name>[A-Z_][A-Z0-9_]*))?", re.ASCII)
APPLIED, SKIPPED = "applied", "skipped"


class Template:
    """A rule's "fix"; names and groups are what it may refer to."""

    def __init__(self, text, names=(), groups=0):
        self.text = text
        for reference in REFERENCE.finditer(text):
            self._check(reference, names, groups)

    @staticmethod
    def _check(reference, names, groups):
        if reference.lastgroup is None:
            raise RuleError("a fix has a '$' that is neither doubled nor begins a reference")
        group, name = reference.group("group", "name")
        if group is not None and int(group) > groups or name is not None and f"${name}" not in names:
            raise RuleError(f"a fix refers to {reference.group()!r}, which the rule does not have")

    def expand(self, match, text):
        """Return the replacement for a match."""

        def value(reference):
            if reference.lastgroup == "dollar":
                return "$"
            if reference.lastgroup == "group":
                return (text[match.start : match.end], *match.groups)[int(reference.group("group"))] or ""
            return "".join(text[start:end] for start, end in match.captures.get(reference.group(), ())[:1])

        return REFERENCE.sub(value, self.text)


class Edit:
    """The fix of one match."""

    def __init__(self, match, replacement):
        self.match = match
        self.replacement = replacement
        self.status = SKIPPED

    def overlaps(self, other):
        return self.match.start < other.match.end and other.match.start < self.match.end


def apply_edits(edits, source, dry_run):
    """Decide about the edits, first come, first served, and write the new text."""
    applied = Applied()
    for edit in edits:
        applied.take(edit)
    if applied.edits and source.replace(edited(source.text, applied.edits), dry_run):
        for edit in applied.edits:
            edit.status = APPLIED


class Applied:
    """Edits that do not overlap, in the order of the text."""

    def __init__(self):
        self.starts = []
        self.edits = []

    def take(self, edit):
        """Add an edit, unless it overlaps another one."""
        place = bisect.bisect_right(self.starts, edit.match.start)
        neighbours = self.edits[max(0, place - 1) : place + 1]
        if not any(edit.overlaps(other) for other in neighbours):
            self.starts.insert(place, edit.match.start)
            self.edits.insert(place, edit)


def edited(text, edits):
    parts = []
    offset = 0
    for edit in edits:
        parts += [text[offset : edit.match.start], edit.replacement]
        offset = edit.match.end
    return "".join([*parts, text[offset:]])
