"""When a fork is opened, and from which step it counts."""

from collections import deque

import numpy as np


class SurpriseGate:
    """Compares the trunk's surprises with those of quiet steps."""

    def __init__(self, quiet_surprises, settings):
        self._settings = settings
        self._quiet = deque(quiet_surprises, maxlen=settings.quiet_memory)
        self._recent = deque(maxlen=settings.look_back + 1)
        self._high = deque(maxlen=settings.gate_window)

    def observe(self, surprise):
        """Notes a surprise, and says whether enough of the latest ones are high."""
        limit = np.quantile(self._quiet, self._settings.gate_quantile)
        self._recent.append(surprise)
        self._high.append(surprise > limit)
        return self._high[-1] and sum(self._high) >= self._settings.gate_votes

    def learn(self, surprise):
        """Adds the surprise of a quiet step to the memory."""
        self._quiet.append(surprise)

    def steps_back(self):
        """How many steps before the present one the excess began: the stretch with the greatest scaled excess."""
        excess = np.array(self._recent)[::-1] - np.mean(self._quiet)
        scaled = np.cumsum(excess) / np.sqrt(np.arange(1, len(excess) + 1))
        return int(np.argmax(scaled))

    def forget_recent(self):
        """After a change of trunk the latest surprises say nothing of the new one."""
        self._recent.clear()
        self._high.clear()

    def correlation(self):
        """Correlation of successive quiet surprises."""
        quiet = np.array(self._quiet)
        centred = quiet - quiet.mean()
        power = float(np.dot(centred, centred))
        if power == 0.0:
            return 0.0
        return float(np.dot(centred[1:], centred[:-1])) / power

    def copy(self):
        other = SurpriseGate(self._quiet, self._settings)
        other._recent.extend(self._recent)
        other._high.extend(self._high)
        return other
