"""Forget snapshots as a policy says."""

from snaparchive import instants, policies, retention, store
from snaparchive.labels import check_label
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--policy", required=True)
    parser.add_argument("--now", required=True, type=instants.parse)
    parser.add_argument("--label", type=check_label)
    parser.add_argument("--dry-run", action="store_true")


def run(options):
    archive = store.open_archive(options.archive)
    policy = policies.read(options.policy)
    decisions = retention.decide(archive, policy, options.now, lambda label: options.label in (None, label))
    if not options.dry_run:
        retention.forget(archive, decisions)
    for decision in decisions:
        emit(decision.to_json())
    emit(retention.summary(decisions))
