"""Policies: files that say which snapshots are kept."""

from datetime import timedelta

from snaparchive import durations, instants, jsontext, rules
from snaparchive.errors import Failure
from snaparchive.labels import check_label
from snaparchive.zones import Zone

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
MOST = 1_000_000


class Policy:
    """A zone, rules for all labels, and rules for some of them."""

    def __init__(self, zone, common, by_label):
        self.zone = zone
        self.common = common
        self.by_label = by_label

    def rules_for(self, label):
        """Return a label's rules, or None if the policy says nothing of it."""
        return self.by_label.get(label, self.common)


def read(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        raise Failure("no_policy") from None
    try:
        return policy_from_json(jsontext.strict(data.decode("utf-8")))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        raise Failure("bad_policy") from None


def policy_from_json(value):
    check_keys(value, {"zone", "week_starts", "rules", "labels"})
    zone = zone_from_json(value.get("zone", "+00:00"))
    first_weekday = WEEKDAYS.index(value.get("week_starts", "monday"))
    common = rules_from_json(value["rules"], first_weekday) if "rules" in value else None
    by_label = {
        check_label(label): rules_from_json(listed, first_weekday) for label, listed in value.get("labels", {}).items()
    }
    if common is None and not by_label:
        raise ValueError("a policy has rules")
    return Policy(zone, common, by_label)


def check_keys(value, known):
    if not value.keys() <= known:
        raise ValueError("there is a key that nothing is known of")


def zone_from_json(value):
    if isinstance(value, str):
        return Zone(offset_from_text(value), [])
    first, *rest = value
    check_keys(first, {"offset"})
    transitions = [transition_from_json(item) for item in rest]
    starts = [start for start, _ in transitions]
    if starts != sorted(set(starts)):
        raise ValueError("offsets come one after the other")
    return Zone(offset_from_text(first["offset"]), transitions)


def transition_from_json(value):
    check_keys(value, {"from", "offset"})
    return instants.parse(value["from"]), offset_from_text(value["offset"])


def offset_from_text(text):
    sign, hours, minutes = instants.OFFSET.fullmatch(text).groups()
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    return -offset if sign == "-" else offset


def rules_from_json(value, first_weekday):
    if not isinstance(value, list) or not value:
        raise ValueError("rules are a list of at least one")
    return [rule_from_json(rule, first_weekday) for rule in value]


def rule_from_json(value, first_weekday):
    if "last" in value:
        check_keys(value, {"last"})
        return rules.Last(count(value["last"]))
    if "within" in value:
        check_keys(value, {"within"})
        return rules.Within(durations.parse(value["within"]))
    check_keys(value, {"every", "step", "keep", "choose"})
    if "step" in value and value["every"] != "hour":
        raise ValueError("only hours have a step")
    period = rules.period(value["every"], step(value.get("step", 1)), first_weekday)
    limit = None if value["keep"] == "all" else count(value["keep"])
    chosen = rules.CHOICES[value.get("choose", "last")]
    return rules.Every(period, limit, chosen)


def count(value):
    if type(value) is not int or not 1 <= value <= MOST:
        raise ValueError("a count is a whole number from 1")
    return value


def step(value):
    if count(value) > 24:
        raise ValueError("a day has 24 hours")
    return value
