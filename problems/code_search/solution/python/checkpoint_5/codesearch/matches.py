"""What a rule finds."""

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Match:
    start: int
    end: int
    # The spans of each metavariable; None in rules that have no captures.
    captures: Optional[dict] = None
    # The texts of a regular expression's groups.
    groups: tuple = ()

    def to_json(self, source):
        record = {
            "start": source.position(self.start),
            "end": source.position(self.end),
            "match": source.text[self.start : self.end],
        }
        if self.captures is not None:
            record["captures"] = {
                name: capture_to_json(self.captures[name], source) for name in sorted(self.captures)
            }
        return record


def capture_to_json(spans, source):
    start, end = spans[0]
    return {
        "text": source.text[start:end],
        "ranges": [{"start": source.position(start), "end": source.position(end)} for start, end in spans],
    }
