"""The study: families of streams, the full method and its ablations, one table."""

import dataclasses
import zlib

import numpy as np

from wayleave.membership import boundary_series, soft_membership
from wayleave.metrics import covering, match_boundaries, matched_f1, transients_reported, uncertainty_figures
from wayleave.runner import segment_stream
from wayleave.settings import Settings
from wayleave.streams import family_names, make_stream

_TOLERANCE = 15
_VARIANTS = {
    "full": {},
    "no burst discount": {"use_burst_discount": False},
    "equal voices": {"use_voices": False},
    "no withdrawal": {"use_withdrawal": False},
    "trunk never waits": {"use_freeze": False},
}
_COLUMNS = (
    "f1",
    "covering",
    "soft_accuracy",
    "mass_at_truth",
    "delay",
    "interval_coverage",
    "interval_width",
    "brier",
    "transients_reported",
)


def run_study(streams_per_family, seed):
    """Mean figures of each family and variant, over streams that all variants share."""
    rows = []
    for family in family_names():
        family_seed = zlib.crc32(family.encode())
        streams = [
            make_stream(family, np.random.default_rng([seed, family_seed, n])) for n in range(streams_per_family)
        ]
        for variant, switches in _VARIANTS.items():
            settings = dataclasses.replace(Settings(), **switches)
            figures = [_figures(stream, settings, seed) for stream in streams]
            rows.append({"family": family, "variant": variant, **_means(figures)})
    return rows


def format_table(rows):
    """The rows as aligned text."""
    lines = [f"{'family':10}{'variant':20}" + "".join(f"{column:>20}" for column in _COLUMNS)]
    for row in rows:
        lines.append(f"{row['family']:10}{row['variant']:20}" + "".join(f"{row[column]:20.3f}" for column in _COLUMNS))
    return "\n".join(lines)


def _figures(stream, settings, seed):
    segmenter = segment_stream(stream.observations, settings, seed)
    steps = len(stream.observations)
    standing = [boundary for boundary in segmenter.boundaries if not boundary.withdrawn]
    found = [boundary.location for boundary in standing]
    pairs = match_boundaries(found, stream.boundaries, _TOLERANCE)
    figures = uncertainty_figures(standing, stream.boundaries, pairs)
    figures["f1"] = matched_f1(pairs, len(found), len(stream.boundaries))
    figures["covering"] = covering(found, stream.boundaries, steps)
    figures["soft_accuracy"] = _soft_accuracy(soft_membership(standing, steps), pairs, stream.boundaries)
    series = boundary_series(standing, steps)
    near = [series[max(0, b - _TOLERANCE) : b + _TOLERANCE + 1].sum() for b in stream.boundaries]
    figures["mass_at_truth"] = float(np.mean(np.minimum(near, 1.0)))
    figures["transients_reported"] = transients_reported(standing, stream.transients, _TOLERANCE)
    return figures


def _soft_accuracy(membership, pairs, true):
    """Mean probability, over all steps, that a step is given to the segment its true segment is matched with."""
    after = {j: i + 1 for i, j in pairs}
    steps = len(membership)
    edges = [0, *true, steps]
    total = 0.0
    for number in range(len(edges) - 1):
        own = 0 if number == 0 else after.get(number - 1)
        if own is not None:
            total += float(membership[edges[number] : edges[number + 1], own].sum())
    return total / steps


def _means(figures):
    means = {}
    for column in _COLUMNS:
        values = [figure[column] for figure in figures if not np.isnan(figure[column])]
        means[column] = float(np.mean(values)) if values else float("nan")
    return means
