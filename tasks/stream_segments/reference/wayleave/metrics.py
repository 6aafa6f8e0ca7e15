"""Figures of a segmentation against the truth."""

import numpy as np


def match_boundaries(found, true, tolerance):
    """One-to-one pairs (index of found, index of true) within the tolerance, nearest first, then the earlier found."""
    candidates = sorted(
        (abs(f - t), f, i, j) for i, f in enumerate(found) for j, t in enumerate(true) if abs(f - t) <= tolerance
    )
    pairs, used_found, used_true = [], set(), set()
    for _, _, i, j in candidates:
        if i not in used_found and j not in used_true:
            pairs.append((i, j))
            used_found.add(i)
            used_true.add(j)
    return pairs


def matched_f1(pairs, found_count, true_count):
    if found_count + true_count == 0:
        return 1.0
    return 2.0 * len(pairs) / (found_count + true_count)


def covering(found, true, steps):
    """Mean over the true segments, weighted by length, of the best Jaccard overlap with a found one."""
    total = 0.0
    for start, end in _spans(true, steps):
        best = 0.0
        for other_start, other_end in _spans(found, steps):
            common = max(0, min(end, other_end) - max(start, other_start))
            union = max(end, other_end) - min(start, other_start)
            if common:
                best = max(best, common / union)
        total += (end - start) * best
    return total / steps


def uncertainty_figures(boundaries, true, pairs):
    """Delay, coverage and width of intervals over matched boundaries; Brier score of the confidences over all."""
    matched = {i for i, _ in pairs}
    outcome = np.array([1.0 if i in matched else 0.0 for i in range(len(boundaries))])
    confidence = np.array([boundary.confidence for boundary in boundaries])
    delays = [boundaries[i].emitted - true[j] for i, j in pairs]
    hits = [boundaries[i].low <= true[j] <= boundaries[i].high for i, j in pairs]
    widths = [boundaries[i].high - boundaries[i].low + 1 for i, _ in pairs]
    return {
        "delay": float(np.mean(delays)) if pairs else float("nan"),
        "interval_coverage": float(np.mean(hits)) if pairs else float("nan"),
        "interval_width": float(np.mean(widths)) if pairs else float("nan"),
        "brier": float(np.mean((confidence - outcome) ** 2)) if boundaries else float("nan"),
    }


def transients_reported(boundaries, transients, tolerance):
    """Share of the planted transients near which a boundary stands."""
    if not transients:
        return float("nan")
    hit = 0
    for start, length in transients:
        hit += any(start - tolerance <= b.location <= start + length + tolerance for b in boundaries)
    return hit / len(transients)


def _spans(boundaries, steps):
    edges = [0, *boundaries, steps]
    return list(zip(edges[:-1], edges[1:]))
