"""The whole method on short streams, the evaluation, and the wiring of the package."""

import ast
import dataclasses
import pathlib
import unittest

import numpy as np

from wayleave.events import Boundary
from wayleave.membership import boundary_series, soft_membership
from wayleave.metrics import covering, match_boundaries, matched_f1, transients_reported, uncertainty_figures
from wayleave.runner import segment_stream
from wayleave.segmenter import OnlineSegmenter
from wayleave.settings import Settings
from wayleave.streams import family_names, make_stream

SETTINGS = dataclasses.replace(Settings(), null_streams=4)


def level_stream(bump=False):
    random = np.random.default_rng(11)
    rows = random.standard_normal((520, 2))
    if bump:
        rows[300:316] += 5.0
    else:
        rows[300:] += 3.0
    return rows


class WholeMethod(unittest.TestCase):
    def test_a_shift_is_found_placed_and_trusted(self):
        segmenter = segment_stream(level_stream(), SETTINGS)
        standing = [b for b in segmenter.boundaries if not b.withdrawn]
        boundary = min(standing, key=lambda b: abs(b.location - 300))
        self.assertLessEqual(abs(boundary.location - 300), 2)
        self.assertTrue(boundary.low <= boundary.location <= boundary.high)
        self.assertLess(boundary.emitted, 320)
        self.assertTrue(boundary.settled)
        self.assertGreater(boundary.confidence, 0.9)

    def test_an_excursion_is_withdrawn_and_reported(self):
        segmenter = segment_stream(level_stream(bump=True), SETTINGS)
        self.assertTrue(any(b.withdrawn and abs(b.location - 300) <= 2 for b in segmenter.boundaries))
        self.assertTrue(any(abs(t.start - 300) <= 2 and abs(t.end - 316) <= 3 for t in segmenter.transients))
        self.assertFalse(any(abs(b.location - 300) <= 25 for b in segmenter.boundaries if not b.withdrawn))

    def test_segments_tile_the_stream(self):
        segmenter = segment_stream(level_stream(), SETTINGS)
        self.assertEqual(segmenter.segments[0].start, 0)
        self.assertEqual(segmenter.segments[-1].end, 520)
        for before, after in zip(segmenter.segments, segmenter.segments[1:]):
            self.assertEqual(before.end, after.start)

    def test_nothing_depends_on_the_future(self):
        rows = level_stream()
        whole = segment_stream(rows, SETTINGS).boundaries
        part = segment_stream(rows[:400], SETTINGS).boundaries
        emitted = [(b.location, b.emitted) for b in whole if b.emitted < 400]
        self.assertEqual([(b.location, b.emitted) for b in part], emitted)

    def test_a_step_before_the_warm_up_is_refused(self):
        with self.assertRaises(RuntimeError):
            OnlineSegmenter(SETTINGS).step([0.0])

    def test_every_ablation_and_a_single_dimension_run(self):
        for switch in ("use_burst_discount", "use_voices", "use_withdrawal", "use_freeze"):
            segment_stream(level_stream(bump=True), dataclasses.replace(SETTINGS, **{switch: False}))
        segment_stream(level_stream()[:, :1], SETTINGS)


class Evaluation(unittest.TestCase):
    def test_streams_repeat_and_texture_keeps_the_variance(self):
        for family in family_names():
            first = make_stream(family, np.random.default_rng(1))
            second = make_stream(family, np.random.default_rng(1))
            np.testing.assert_array_equal(first.observations, second.observations)
        rows = np.concatenate([make_stream("texture", np.random.default_rng(n)).observations for n in range(6)])
        self.assertAlmostEqual(float(rows.var()), 1.0, delta=0.1)

    def test_measures(self):
        pairs = match_boundaries([100, 104, 300], [103, 200], 15)
        self.assertEqual(pairs, [(1, 0)])
        self.assertAlmostEqual(matched_f1(pairs, 3, 2), 0.4)
        self.assertAlmostEqual(covering([50], [50], 100), 1.0)
        self.assertAlmostEqual(covering([], [50], 100), 0.5)

    def test_soft_readings(self):
        boundaries = [
            Boundary(10, 15, 9, 11, 9, np.array([0.25, 0.5, 0.25]), 5.0, 0.8, settled=True),
            Boundary(20, 25, 20, 20, 20, np.array([1.0]), 5.0, 1.0, settled=True),
        ]
        membership = soft_membership(boundaries, 30)
        np.testing.assert_allclose(membership.sum(axis=1), 1.0)
        np.testing.assert_allclose(membership[10], [0.25, 0.75, 0.0])
        np.testing.assert_allclose(boundary_series(boundaries, 30)[[8, 9, 10, 20]], [0.0, 0.2, 0.4, 1.0])
        figures = uncertainty_figures(boundaries, [10, 90], [(0, 0)])
        self.assertEqual((figures["delay"], figures["interval_coverage"], figures["interval_width"]), (5.0, 1.0, 3.0))
        self.assertAlmostEqual(figures["brier"], (0.2**2 + 1.0) / 2.0)
        self.assertEqual(transients_reported(boundaries, [(40, 10), (12, 4)], 3), 0.5)


class Wiring(unittest.TestCase):
    def test_every_public_symbol_is_used_by_another_module(self):
        folder = pathlib.Path(__file__).resolve().parent.parent / "wayleave"
        trees = {path.stem: ast.parse(path.read_text()) for path in folder.glob("*.py")}
        imported = {
            (node.module.removeprefix("wayleave."), alias.name)
            for tree in trees.values()
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("wayleave.")
            for alias in node.names
        }
        unused = []
        for module, tree in trees.items():
            if module.startswith("__"):
                continue
            for node in tree.body:
                targets = [target.id for target in node.targets] if isinstance(node, ast.Assign) else []
                names = [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else targets
                unused += [(module, n) for n in names if not n.startswith("_") and (module, n) not in imported]
        self.assertEqual(unused, [])


if __name__ == "__main__":
    unittest.main()
