"""Comments that suppress matches."""

import bisect
import re

from codesearch.selectors.text import comment_body

WORD = "search-ignore"
SUPPRESSION = re.compile(rf"{WORD}(?::(?P<ids>[\s\S]*))?")


class Suppressions:
    """The lines on which the matches of certain rules, or of all, do not count."""

    def __init__(self, source):
        self.source = source
        self.lines_of_all = set()
        self.lines_of_rules = {}
        if WORD in source.text:
            self._read(source.code)

    def hold_for(self, rule, match):
        line = self.source.position(match.start)["line"]
        return line in self.lines_of_all or line in self.lines_of_rules.get(rule.id, ())

    def _read(self, code):
        lines = without_comments(code).split("\n")
        visible = [number for number, line in enumerate(lines, 1) if line.strip()]
        for comment in code.comments:
            start, end = comment_body(comment)
            suppression = SUPPRESSION.fullmatch(code.text[start:end])
            if suppression:
                self._add(suppression["ids"], self._lines(comment, visible))

    def _lines(self, comment, visible):
        """Return the lines of the comment and, if nothing visible stands there, the next visible one."""
        first = self.source.position(comment.start)["line"]
        last = self.source.position(comment.end)["line"]
        lines = set(range(first, last + 1))
        following = bisect.bisect_left(visible, first)
        if following < len(visible) and visible[following] > last:
            lines.add(visible[following])
        return lines

    def _add(self, ids, lines):
        if ids is None:
            self.lines_of_all |= lines
        else:
            for name in ids.split(","):
                self.lines_of_rules.setdefault(name.strip(), set()).update(lines)


def without_comments(code):
    """Return the text with nothing but line feeds in place of comments."""
    parts = []
    offset = 0
    for comment in code.comments:
        parts += [code.text[offset : comment.start], "\n" * comment.text.count("\n")]
        offset = comment.end
    return "".join([*parts, code.text[offset:]])
