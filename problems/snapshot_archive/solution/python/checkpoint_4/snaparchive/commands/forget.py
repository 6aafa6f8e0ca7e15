"""Forget snapshots as a policy says."""

from snaparchive import forgetting, instants, policies, retention
from snaparchive.arguments import add_pause
from snaparchive.interrupts import Pauses
from snaparchive.labels import check_label
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--policy", required=True)
    parser.add_argument("--now", required=True, type=instants.parse)
    parser.add_argument("--label", type=check_label)
    parser.add_argument("--dry-run", action="store_true")
    add_pause(parser, "recorded", "removed")


def run(options):
    archive = forgetting.open_archive(options.archive)
    policy = policies.read(options.policy)
    decisions = retention.decide(archive, policy, options.now, lambda label: options.label in (None, label))
    if not options.dry_run:
        forgetting.forget(archive, retention.forgotten_ids(decisions), Pauses(options.pause))
    for decision in decisions:
        emit(decision.to_json())
    emit(retention.summary(decisions))
