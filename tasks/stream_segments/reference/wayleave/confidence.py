"""The tail of evidence that arises with no boundary; threshold and confidence by it."""

import math


class NullTail:
    """Exponential tail of the forks' peak evidence on streams without boundaries."""

    def __init__(self, level, scale, rate):
        self.level = level
        self.scale = scale
        self.rate = rate

    def threshold(self, false_rate, floor):
        """Evidence that null forks exceed `false_rate` times a step."""
        if self.rate <= 0.0:
            return floor
        return max(floor, self.level + self.scale * math.log(self.rate / false_rate))

    def exceedances(self, evidence, steps):
        """Expected number of null forks, in so many steps, whose peak exceeds this evidence."""
        return steps * self.rate * math.exp(-max(evidence - self.level, 0.0) / self.scale)


def boundary_confidence(evidence, steps, other_evidence, tail):
    """One minus the ratio of boundaries that would be expected by chance to those found, at this evidence or above."""
    found = 1 + sum(1 for other in other_evidence if other >= evidence)
    return 1.0 - min(1.0, tail.exceedances(evidence, steps) / found)
