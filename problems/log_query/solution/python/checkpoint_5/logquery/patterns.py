"""The patterns of `like`."""

ONE = object()


class Pattern:
    """Runs of characters and single wildcards, with any number of characters between runs."""

    def __init__(self, runs):
        self.runs = runs

    def matches(self, text):
        first, *middle = self.runs
        if not middle:
            return len(first) == len(text) and _fits(first, text, 0)
        last = middle.pop()
        end = len(text) - len(last)
        if len(first) > end or not _fits(first, text, 0) or not _fits(last, text, end):
            return False
        position = len(first)
        for run in middle:
            position = _find(run, text, position, end)
            if position is None:
                return False
        return True


def _fits(run, text, position):
    return all(wanted is ONE or wanted == text[position + index] for index, wanted in enumerate(run))


def _find(run, text, start, end):
    """The end of the first place of a run between two positions, or None."""
    if ONE not in run:
        position = text.find("".join(run), start, end)
        return None if position < 0 else position + len(run)
    places = range(start, end - len(run) + 1)
    return next((place + len(run) for place in places if _fits(run, text, place)), None)


def parse_pattern(source):
    runs = [[]]
    characters = iter(source)
    for character in characters:
        if character == "\\":
            runs[-1].append(next(characters, character))
        elif character == "*":
            runs.append([])
        else:
            runs[-1].append(ONE if character == "?" else character)
    return Pattern(runs)
