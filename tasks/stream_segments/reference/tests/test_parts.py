"""The parts, each against what can be computed by hand."""

import math
import unittest

import numpy as np

from wayleave.calibration import fit_tail, null_stream
from wayleave.confidence import NullTail, boundary_confidence
from wayleave.evidence import Tally, bounded_vote
from wayleave.features import TextureFeatures
from wayleave.gate import SurpriseGate
from wayleave.location import location_profile, shortest_interval, temperature
from wayleave.predictive import Prior, inherit, log_scores
from wayleave.pruning import prune
from wayleave.registry import RegimeRegistry
from wayleave.scaling import WarmupScale
from wayleave.settings import Settings
from wayleave.summary import Summary, divergence, pool
from wayleave.takeover import choose_takeover
from wayleave.voices import Voices

SETTINGS = Settings()


class StandIn:
    """A fork of which only start, age and evidence matter."""

    def __init__(self, start, evidence, age=50):
        self.start = start
        self.age = age
        self.held = 0
        self._evidence = evidence

    def evidence(self):
        return self._evidence


def summary_of(rows, cap=math.inf):
    summary = Summary(rows.shape[1], cap)
    summary.add_all(rows)
    return summary


class Observations(unittest.TestCase):
    def test_scale_is_median_and_scaled_deviation_with_a_floor(self):
        scale = WarmupScale([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [10.0, 5.0]], 1e-6)
        np.testing.assert_allclose(scale.apply([1.5 + 1.4826, 5.0]), [1.0, 0.0])

    def test_features_of_three_steps(self):
        features = TextureFeatures(2, SETTINGS)
        features.step(np.array([0.0, 0.0]))
        features.step(np.array([1.0, 2.0]))
        vector = features.step(np.array([0.0, 3.0]))
        base = 0.06 * np.array([1.0, 2.0])
        roughness = np.log(0.05 + 0.5 * np.array([1.0, 1.0]))
        share = 0.5 * 0.9 * 0.9
        turning = np.arcsin(np.sqrt([share + 0.1, share]))
        coupling = np.arcsinh((0.0 - base[0]) * (3.0 - base[1]))
        np.testing.assert_allclose(vector, [0.0, 3.0, *roughness, *turning, coupling])


class Hypotheses(unittest.TestCase):
    def test_summary_equals_numpy_and_pooling_equals_joining(self):
        rows = np.random.default_rng(1).standard_normal((30, 3))
        pooled = pool(summary_of(rows[:10]), summary_of(rows[10:]))
        np.testing.assert_allclose(pooled.mean, rows.mean(axis=0))
        np.testing.assert_allclose(pooled.variance(), rows.var(axis=0))

    def test_a_capped_summary_keeps_its_variance(self):
        rows = np.tile([[1.0], [-1.0]], (50, 1))
        summary = summary_of(rows, cap=20.0)
        self.assertEqual(summary.count, 20.0)
        self.assertAlmostEqual(float(summary.variance()[0]), 1.0, delta=0.05)

    def test_scores_are_densities(self):
        rows = np.random.default_rng(2).standard_normal((4, 1))
        prior = Prior(np.zeros(1), np.ones(1), SETTINGS)
        grid = np.linspace(-60.0, 60.0, 200001)[:, None]
        density = np.exp(log_scores(summary_of(rows), prior, grid))
        self.assertAlmostEqual(float(density.sum() * (grid[1, 0] - grid[0, 0])), 1.0, places=5)

    def test_a_fork_inherits_what_the_trunk_believes(self):
        rows = 3.0 + 2.0 * np.random.default_rng(3).standard_normal((4000, 1))
        prior = inherit(summary_of(rows), Prior(np.zeros(1), np.ones(1), SETTINGS), SETTINGS)
        self.assertAlmostEqual(float(prior.mean[0]), 3.0, delta=0.15)
        self.assertAlmostEqual(float(prior.variance[0]), 4.0, delta=0.3)

    def test_copies_of_a_channel_share_a_vote_and_persistent_ones_lose_theirs(self):
        random = np.random.default_rng(4)
        free = random.standard_normal((4000, 2))
        slow = np.repeat(random.standard_normal(400), 10)
        weights = Voices(np.column_stack([free[:, 0], free[:, 0], free[:, 1], slow]), SETTINGS).weights()
        self.assertAlmostEqual(weights[0], 1.0 / (1.0 + 0.9**2), delta=0.05)
        self.assertAlmostEqual(weights[2], 1.0, delta=0.1)
        self.assertAlmostEqual(weights[3], 0.1 / 1.9, delta=0.05)


class Contest(unittest.TestCase):
    def test_votes_are_clipped_before_they_are_weighted(self):
        vote = bounded_vote(np.array([9.0, 1.0]), np.array([0.0, 2.0]), np.array([0.5, 2.0]), 3.0)
        self.assertEqual(vote, 0.5 * 3.0 - 2.0)

    def test_a_burst_is_worth_less_than_the_same_total_in_many_steps(self):
        burst, spread, debt = Tally(SETTINGS), Tally(SETTINGS), Tally(SETTINGS)
        burst.add(12.0, 1.0)
        for _ in range(12):
            spread.add(2.0, 0.5)
        debt.add(-3.0, 1.0)
        self.assertAlmostEqual(burst.evidence(), 12.0 / 5.0)
        self.assertAlmostEqual(spread.evidence(), 12.0 * 12.0 / 16.0)
        self.assertEqual(debt.evidence(), -3.0)

    def test_the_gate_wants_two_of_three_and_dates_back_to_the_excess(self):
        gate = SurpriseGate(np.linspace(0.0, 1.0, 100), SETTINGS)
        answers = [gate.observe(surprise) for surprise in (0.1, 0.2, 3.0, 0.1, 3.0, 3.0, 3.0)]
        self.assertEqual(answers, [False, False, False, False, True, True, True])
        self.assertEqual(gate.steps_back(), 2)

    def test_pruning(self):
        sunk, young, old = StandIn(10, -6.0), StandIn(20, -6.0, age=3), StandIn(30, 9.0, age=121)
        early, late = StandIn(40, 1.0), StandIn(50, 3.0)
        alive, dead = prune([sunk, young, old, early, late], SETTINGS)
        self.assertEqual(alive, [late])
        self.assertEqual(dead, [sunk, old, young, early])
        many = [StandIn(start, -float(start) / 100.0) for start in range(0, 80, 10)]
        self.assertEqual([fork.start for fork in prune(many, SETTINGS)[0]], [0, 10, 20, 30, 40])

    def test_a_takeover_needs_holding_and_a_lead_or_far_more(self):
        near, far = StandIn(100, 5.0), StandIn(120, 6.0)
        self.assertEqual([choose_takeover([near, far], 4.0, SETTINGS) for _ in range(4)], [None] * 4)
        rival = StandIn(117, 5.9)
        leader = StandIn(120, 6.0)
        answers = [choose_takeover([rival, leader], 4.0, SETTINGS) for _ in range(3)]
        self.assertEqual(answers, [None, None, leader])
        clear = StandIn(120, 8.0)
        self.assertIs([choose_takeover([StandIn(100, 7.9), clear], 4.0, SETTINGS) for _ in range(3)][2], clear)


class Boundaries(unittest.TestCase):
    def test_profile_and_interval(self):
        old = np.array([0.0, 0.0, -2.0, -2.0])
        new = np.array([-2.0, -2.0, 0.0, 0.0])
        profile = location_profile(old, new, 1.0)
        self.assertEqual(int(np.argmax(profile)), 2)
        self.assertAlmostEqual(profile[2] / profile[1], math.exp(2.0))
        self.assertEqual(shortest_interval(np.array([0.1, 0.4, 0.4, 0.1]), 0.8), (1, 2))
        self.assertEqual(shortest_interval(np.full(4, 0.25), 0.5), (0, 1))
        self.assertAlmostEqual(temperature(0.5, 0.9), 3.0)
        self.assertAlmostEqual(temperature(-0.5, 0.9), 1.0)

    def test_tail_threshold_and_confidence(self):
        tail = fit_tail([0.0, 1.0, 2.0, 3.0, 5.0, float("-inf")], 200, SETTINGS)
        self.assertEqual((tail.level, tail.scale, tail.rate), (2.0, 2.0, 0.01))
        self.assertAlmostEqual(tail.threshold(0.001, 0.0), 2.0 + 2.0 * math.log(10.0))
        self.assertEqual(tail.threshold(0.001, 9.0), 9.0)
        expected = 1000 * 0.01 * math.exp(-4.0)
        self.assertAlmostEqual(boundary_confidence(10.0, 1000, [12.0, 9.0], tail), 1.0 - expected / 2.0)
        self.assertEqual(boundary_confidence(0.0, 1000, [], NullTail(2.0, 2.0, 0.01)), 0.0)

    def test_null_streams_keep_runs_of_the_warm_up(self):
        rows = np.arange(150.0)[:, None]
        drawn = null_stream(rows, SETTINGS, np.random.default_rng(5))[:, 0]
        self.assertEqual(len(drawn), 360)
        self.assertTrue(np.all(np.diff(drawn[:20]) % 150 == 1))

    def test_regimes_that_come_back_get_their_number(self):
        random = np.random.default_rng(6)
        first, again = (summary_of(random.standard_normal((200, 2))) for _ in range(2))
        other = summary_of(3.0 + random.standard_normal((200, 2)))
        registry = RegimeRegistry(0.35)
        self.assertEqual([registry.file(summary, np.ones(2)) for summary in (first, other, again)], [0, 1, 0])
        self.assertEqual(divergence(first, first, np.ones(2)), 0.0)


if __name__ == "__main__":
    unittest.main()
