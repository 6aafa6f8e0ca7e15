"""The whole method on raw observations."""

import math

import numpy as np

from wayleave.calibration import fit_tail, null_stream
from wayleave.engine import Engine
from wayleave.features import TextureFeatures
from wayleave.gate import SurpriseGate
from wayleave.predictive import Prior, inherit, log_scores, posterior_moments
from wayleave.scaling import WarmupScale
from wayleave.summary import Summary
from wayleave.voices import Voices


class OnlineSegmenter:
    """Learns scale, trunk, voices and threshold from a warm-up without boundaries; then takes a step at a time."""

    def __init__(self, settings, seed=0):
        self._settings = settings
        self._random = np.random.default_rng(seed)
        self._engine = None
        self._scale = None
        self._features = None
        self.threshold = math.nan
        self.tail = None

    def fit_warmup(self, observations):
        s = self._settings
        observations = np.asarray(observations, dtype=float)
        self._scale = WarmupScale(observations, s.spread_floor)
        self._features = TextureFeatures(observations.shape[1], s)
        scaled = np.array([self._scale.apply(row) for row in observations])
        rows = np.array([self._features.step(row) for row in scaled])[s.settling :]
        summary = Summary(rows.shape[1], s.count_cap)
        summary.add_all(rows)
        prior = Prior(summary.mean, summary.variance(), s)
        mean, variance = posterior_moments(summary, prior)
        voices = Voices((rows - mean) / np.sqrt(variance), s)
        surprises = -np.sum(voices.weights() * log_scores(summary, prior, rows), axis=1)
        gate = SurpriseGate(surprises, s)

        self.tail = self._null_tail(scaled, summary, prior, voices, gate)
        self.threshold = self.tail.threshold(s.false_rate, s.threshold_floor)
        self._engine = Engine(summary, prior, voices, gate, self.threshold, self.tail, s, len(observations))

    def step(self, observation):
        """Takes an observation; the boundaries, transients and segments so far are in the attributes."""
        if self._engine is None:
            raise RuntimeError("fit the warm-up before the first step")
        self._engine.step(self._features.step(self._scale.apply(observation)))

    def finish(self):
        self._engine.finish()

    @property
    def boundaries(self):
        return self._engine.boundaries

    @property
    def transients(self):
        return self._engine.transients

    @property
    def segments(self):
        return self._engine.segments

    def _null_tail(self, scaled, summary, prior, voices, gate):
        """Peaks of forks against trunks that are as young as a trunk may be when the first fork opens."""
        s = self._settings
        peaks = []
        for _ in range(s.null_streams):
            features = TextureFeatures(scaled.shape[1], s)
            rows = [features.step(row) for row in null_stream(scaled, s, self._random)]
            young = Summary(len(rows[0]), s.count_cap)
            engine = Engine(young, inherit(summary, prior, s), voices.copy(), gate.copy(), math.inf, None, s, 0)
            for row in rows[s.settling :]:
                engine.step(row)
            engine.finish()
            peaks.extend(engine.peaks)
        return fit_tail(peaks, s.null_streams * s.null_length, s)
