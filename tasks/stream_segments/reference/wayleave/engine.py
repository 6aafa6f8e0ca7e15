"""The machine on feature vectors: one trunk, some forks, perhaps a stub."""

import numpy as np

from wayleave.confidence import boundary_confidence
from wayleave.events import Boundary, Segment, Transient
from wayleave.fork import Fork
from wayleave.location import location_profile, shortest_interval, temperature
from wayleave.predictive import inherit, log_scores, posterior_moments
from wayleave.pruning import prune
from wayleave.registry import RegimeRegistry
from wayleave.stub import Stub
from wayleave.summary import Summary
from wayleave.takeover import choose_takeover


class Engine:
    """Takes a feature vector a step. With an infinite threshold it only collects the peaks of its forks."""

    def __init__(self, summary, prior, voices, gate, threshold, tail, settings, now):
        self.boundaries = []
        self.transients = []
        self.segments = []
        self.peaks = []
        self.forks = []
        self._settings = settings
        self._threshold = threshold
        self._tail = tail
        self._voices = voices
        self._gate = gate
        self._registry = RegimeRegistry(settings.regime_limit)
        self._summary = summary
        self._prior = prior
        self._trunk_start = 0
        self._stub = None
        self._now = now - 1
        self._absorbed = now - 1
        self._pending = {}
        self._unjudged = []

    def step(self, vector):
        s = self._settings
        self._now += 1
        self._pending[self._now] = vector
        weights = self._voices.weights()
        trunk_scores = log_scores(self._summary, self._prior, vector)
        surprise = -float(np.sum(weights * trunk_scores))
        mean, variance = posterior_moments(self._summary, self._prior)
        self._unjudged.append((surprise, (vector - mean) / np.sqrt(variance)))

        for fork in self.forks:
            fork.step(vector, trunk_scores, weights)
        if self._stub is not None and self._follow_stub(vector, trunk_scores, weights):
            return
        high = self._gate.observe(surprise)
        if self._summary.count < s.infancy:
            self._restart_from(self._now)
            return
        if high:
            self._open_fork(weights)

        self.forks, dead = prune(self.forks, s)
        self.peaks.extend(fork.peak for fork in dead)
        leader = choose_takeover(self.forks, self._threshold, s)
        if leader is not None:
            self._take_over(leader, weights)
        self._learn()

    def finish(self):
        """Settles what is open, and closes the last segment."""
        self.peaks.extend(fork.peak for fork in self.forks)
        self.forks = []
        if self._stub is not None:
            self._settle()
        self._absorb_until(self._now)
        regime = self._registry.file(self._summary, self._voices.weights())
        self.segments.append(Segment(self._trunk_start, self._now + 1, regime))

    def _open_fork(self, weights):
        s = self._settings
        start = self._now - self._gate.steps_back()
        start = max(start, self._absorbed + 1)
        if any(abs(start - fork.start) < s.gap for fork in self.forks):
            return
        fork = Fork(start, inherit(self._summary, self._prior, s), s)
        vectors = self._stretch(start, self._now)
        fork.replay(vectors, log_scores(self._summary, self._prior, vectors), weights)
        self.forks.append(fork)

    def _take_over(self, leader, weights):
        s = self._settings
        if self._stub is not None:
            self._settle()
        window_start = max(leader.start - s.location_reach, self._absorbed + 1)
        window_end = min(leader.start + s.location_reach, self._now)
        if not s.use_freeze:
            window_start = max(leader.start - s.location_reach, min(self._pending))
        vectors = self._stretch(window_start, window_end)
        profile = location_profile(
            np.sum(weights * log_scores(self._summary, self._prior, vectors), axis=1),
            np.sum(weights * log_scores(leader.summary, leader.prior, vectors), axis=1),
            temperature(self._gate.correlation(), s.surprise_correlation_cap),
        )
        first, last = shortest_interval(profile, s.interval_mass)
        location = window_start + int(np.argmax(profile))
        evidence = leader.evidence()
        boundary = Boundary(
            location=location,
            emitted=self._now,
            low=window_start + first,
            high=window_start + last,
            window_start=window_start,
            profile=profile,
            evidence=evidence,
            confidence=self._confidence(evidence),
        )
        self.boundaries.append(boundary)

        self._absorb_until(location - 1)
        self._stub = Stub(boundary, self._trunk_start, self._summary, self._prior, s)
        self._trunk_start = location
        self._prior = leader.prior
        self._summary = Summary(len(leader.prior.mean), s.count_cap)
        self._restart_from(location)

    def _follow_stub(self, vector, trunk_scores, weights):
        """Lets the displaced trunk score; true if it came back."""
        stub = self._stub
        stub.step(self._now, vector, trunk_scores, weights)
        if self._settings.use_withdrawal and stub.returns(self._threshold):
            stub.boundary.withdrawn = True
            stub.boundary.settled = True
            stub.boundary.confidence = 0.0
            self.transients.append(Transient(stub.boundary.location, stub.return_start, self._now))
            self._trunk_start = stub.start
            self._prior = stub.prior
            self._summary = stub.summary
            self._stub = None
            self._restart_from(stub.return_start)
            return True
        if stub.expired():
            self._settle()
        return False

    def _settle(self):
        """The boundary stands: its confidence is final, and the segment before it is filed."""
        stub = self._stub
        boundary = stub.boundary
        boundary.evidence += stub.balance
        boundary.confidence = self._confidence(boundary.evidence)
        boundary.settled = True
        regime = self._registry.file(stub.summary, self._voices.weights())
        self.segments.append(Segment(stub.start, boundary.location, regime))
        self._stub = None

    def _confidence(self, evidence):
        others = [b.evidence for b in self.boundaries if b.settled and not b.withdrawn]
        return boundary_confidence(evidence, self._now + 1, others, self._tail)

    def _restart_from(self, start):
        """The trunk learns all steps from `start` to the present one; forks end, and nothing is left to judge."""
        self._summary.add_all(self._stretch(max(start, min(self._pending)), self._now))
        self._absorbed = self._now
        self.forks = []
        self._unjudged = []
        self._gate.forget_recent()
        self._forget()

    def _learn(self):
        """In quiet time all that waits is learnt, by the trunk with a lag; in contested time only what is too old."""
        s = self._settings
        if not s.use_freeze:
            self._absorb_until(self._now)
        patience = s.stale_age + s.look_back
        self._judge(keep=patience + 1 if self.forks else 0)
        self._absorb_until(self._now - (patience + 1 if self.forks else s.look_back))
        self._forget()

    def _judge(self, keep):
        """Gate and voices learn what waits, but for the latest steps."""
        ready = self._unjudged[: max(len(self._unjudged) - keep, 0)]
        for surprise, residual in ready:
            self._gate.learn(surprise)
            self._voices.learn(residual)
        self._unjudged = self._unjudged[len(ready) :]

    def _absorb_until(self, last):
        for step in range(self._absorbed + 1, last + 1):
            self._summary.add(self._pending[step])
        self._absorbed = max(self._absorbed, last)

    def _forget(self):
        """Keeps the steps that a trunk, a location window or a returning stub may still need."""
        s = self._settings
        reach = s.stale_age + s.look_back + s.location_reach + s.grace
        oldest = min(self._absorbed + 1, self._now - reach)
        for step in [step for step in self._pending if step < oldest]:
            del self._pending[step]

    def _stretch(self, first, last):
        return np.array([self._pending[step] for step in range(first, last + 1)])
