"""The patterns of `like`."""

ONE = object()


class Text:
    """A run of characters without wildcards."""

    def __init__(self, characters):
        self.text = "".join(characters)
        self.size = len(characters)

    def fits(self, text, position):
        return text.startswith(self.text, position)

    def find(self, text, start, end):
        """The end of the first place of the run between two positions, or None."""
        position = text.find(self.text, start, end)
        return None if position < 0 else position + self.size


class Mask:
    """A run of characters and single wildcards. Its characters are bits, so that all of them are compared at once."""

    def __init__(self, characters):
        self.size = len(characters)
        self.wild = 0
        self.places = {}
        for index, character in enumerate(characters):
            if character is ONE:
                self.wild |= 1 << index
            else:
                self.places[character] = self.places.get(character, 0) | 1 << index

    def fits(self, text, position):
        return self.find(text, position, position + self.size) is not None

    def find(self, text, start, end):
        """The end of the first place of the run between two positions, or None."""
        places, wild, last = self.places, self.wild, 1 << (self.size - 1)
        # Each bit tells whether the run fits up to there, if it ends at this position.
        fitting = 0
        for position in range(start, end):
            fitting = (fitting << 1 | 1) & (places.get(text[position], 0) | wild)
            if fitting & last:
                return position + 1
        return None


class Pattern:
    """Runs of characters, with any number of characters between them."""

    def __init__(self, runs):
        self.runs = runs

    def matches(self, text):
        first, *middle = self.runs
        if not middle:
            return first.size == len(text) and first.fits(text, 0)
        last = middle.pop()
        end = len(text) - last.size
        if first.size > end or not first.fits(text, 0) or not last.fits(text, end):
            return False
        position = first.size
        for run in middle:
            position = run.find(text, position, end)
            if position is None:
                return False
        return True


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
    return Pattern([Mask(run) if ONE in run else Text(run) for run in runs])
