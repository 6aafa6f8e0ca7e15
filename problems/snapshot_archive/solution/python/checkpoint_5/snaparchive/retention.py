"""Forgetting snapshots as a policy says."""

from collections import namedtuple

from snaparchive import instants, pins, snapshots


class Decision(namedtuple("Decision", ["snapshot", "reasons"])):
    __slots__ = ()

    @property
    def keep(self):
        return bool(self.reasons)

    def to_json(self):
        return {
            "snapshot": self.snapshot.id,
            "at": instants.to_text(self.snapshot.at),
            "label": self.snapshot.label,
            "keep": self.keep,
            "reasons": self.reasons,
        }


def decide(store, policy, now, labels):
    """Return a decision for each snapshot that the policy speaks of, in order.

    `labels` tells which labels are asked for.
    """
    everything = snapshots.load_all(store)
    pinned = pins.pinned_ids(store)
    decisions = {}
    for label in {snapshot.label for snapshot in everything if labels(snapshot.label)}:
        rules = policy.rules_for(label)
        if rules is not None:
            group = [snapshot for snapshot in everything if snapshot.label == label]
            decisions |= decide_group(group, rules, policy.zone, now, pinned)
    return [decisions[snapshot.id] for snapshot in everything if snapshot.id in decisions]


def decide_group(group, rules, zone, now, pinned):
    """Return the decisions for the snapshots of one label, by ID."""
    reasons = {snapshot.id: own_reasons(snapshot, now, pinned) for snapshot in group}
    rest = [snapshot for snapshot in group if not reasons[snapshot.id]]
    for number, rule in enumerate(rules):
        for snapshot in rule.choose(rest, now, zone):
            reasons[snapshot.id].append(number)
    if not any(reasons.values()):
        reasons[group[-1].id].append("only")
    return {snapshot.id: Decision(snapshot, reasons[snapshot.id]) for snapshot in group}


def own_reasons(snapshot, now, pinned):
    """Return why a snapshot is kept whatever the rules say."""
    reasons = {"pinned": snapshot.id in pinned, "future": snapshot.at > now}
    return [reason for reason, holds in reasons.items() if holds]


def forgotten_ids(decisions):
    return [decision.snapshot.id for decision in decisions if not decision.keep]


def summary(decisions):
    kept = sum(decision.keep for decision in decisions)
    return {"kept": kept, "forgotten": len(decisions) - kept}
