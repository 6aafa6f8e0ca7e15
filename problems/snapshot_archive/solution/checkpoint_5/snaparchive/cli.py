"""The command line."""

import argparse
import re
import sys

from snaparchive import (
    build,
    changes,
    collecting,
    exporting,
    forgetting,
    formats,
    history,
    importing,
    inspection,
    instants,
    jsontext,
    listings,
    names,
    opening,
    parity,
    pins,
    policies,
    pruning,
    repair,
    restore,
    retention,
    save,
    selection,
    sides,
    snapshots,
    store,
    tree,
    volumes,
)
from snaparchive.errors import Failure, WrongUsage
from snaparchive.interrupts import Interrupted, Pauses
from snaparchive.labels import check_label
from snaparchive.vault import Vault

DEFECTS_STAY = 3
NUMBER = re.compile(r"0|[1-9][0-9]{0,12}")


class Parser(argparse.ArgumentParser):
    def __init__(self, **options):
        super().__init__(allow_abbrev=False, add_help=False, **options)

    def error(self, message):
        raise WrongUsage


def main(arguments):
    try:
        options = make_parser().parse_args(arguments)
        return options.command(options) or 0
    except Failure as failure:
        sys.stderr.buffer.write(jsontext.line(failure.to_json()).encode("utf-8") + b"\n")
        return failure.exit_code
    except Interrupted as interrupted:
        return interrupted.exit_code


def make_parser():
    parser = Parser()
    commands = parser.add_subparsers(required=True)
    add_command(commands, "scan", run_scan, "folder")
    add_command(commands, "build", run_build, "folder", "listing")
    starting = add_command(commands, "init", run_init, "archive")
    starting.add_argument("--block", type=number_up_to(formats.LONGEST_BLOCK), default=formats.DEFAULT_BLOCK)
    saving = add_command(commands, "save", run_save, "archive", "folder")
    saving.add_argument("--at", required=True, type=instants.parse)
    saving.add_argument("--label", type=check_label)
    saving.add_argument("--changes", action="store_true")
    add_pause(saving, "stored")
    listing = add_command(commands, "list", run_list, "archive")
    listing.add_argument("--label", type=check_label)
    showing = add_command(commands, "show", run_show, "archive")
    showing.add_argument("snapshot", type=snapshots.parse_selector)
    printing = add_command(commands, "cat", run_cat, "archive")
    printing.add_argument("snapshot", type=snapshots.parse_selector)
    printing.add_argument("path", type=names.path_from_text)
    restoring = add_command(commands, "restore", run_restore, "archive")
    restoring.add_argument("snapshot", type=snapshots.parse_selector)
    restoring.add_argument("target")
    add_selection(restoring)
    add_pause(restoring, "half")
    comparing = add_command(commands, "diff", run_diff, "archive")
    comparing.add_argument("old", type=sides.parse)
    comparing.add_argument("new", type=sides.parse)
    renaming = comparing.add_mutually_exclusive_group()
    add_threshold(renaming)
    renaming.add_argument("--no-renames", action="store_true")
    add_selection(comparing)
    looking_back = add_command(commands, "history", run_history, "archive")
    looking_back.add_argument("snapshot", type=snapshots.parse_selector)
    looking_back.add_argument("path", type=names.path_from_text)
    add_threshold(looking_back)
    forgetter = add_command(commands, "forget", run_forget, "archive")
    forgetter.add_argument("--policy", required=True)
    forgetter.add_argument("--now", required=True, type=instants.parse)
    forgetter.add_argument("--label", type=check_label)
    forgetter.add_argument("--dry-run", action="store_true")
    add_pause(forgetter, "recorded", "removed")
    for name, change in (("pin", pins.pin), ("unpin", pins.unpin)):
        pinning = add_command(commands, name, run_pin, "archive")
        pinning.set_defaults(change=change)
        pinning.add_argument("snapshot", type=snapshots.parse_selector)
    pruner = add_command(commands, "prune", run_prune, "archive")
    pruner.add_argument("--dry-run", action="store_true")
    add_pause(pruner, "removed")
    add_command(commands, "usage", run_usage, "archive")
    add_command(commands, "check", run_check, "archive")
    protecting = add_command(commands, "protect", run_protect, "archive")
    protecting.add_argument("--group", required=True, type=number_up_to(parity.MOST_MEMBERS))
    repairing = add_command(commands, "repair", run_repair, "archive")
    for option, source in (("--from", repair.ArchiveSource), ("--tree", repair.TreeSource)):
        repairing.add_argument(option, dest="sources", action="append", default=[], type=source_maker(source))
    exporter = add_command(commands, "export", run_export, "archive", "folder")
    exporter.add_argument("--snapshot", dest="snapshots", action="append", default=[], type=snapshots.parse_selector)
    exporter.add_argument("--size", required=True, type=number_from(volumes.OVERHEAD + 1, volumes.LARGEST))
    exporter.add_argument("--spares", type=number_from(0, volumes.MOST_SPARES), default=0)
    importer = add_command(commands, "import", run_import, "archive")
    importer.add_argument("folders", nargs="+")
    return parser


def add_selection(command):
    command.add_argument("--only", action="append", default=[], type=selection.parse_pattern)
    command.add_argument("--except", dest="left_out", action="append", default=[], type=selection.parse_pattern)


def add_pause(command, *points):
    command.add_argument("--pause", choices=points)


def source_maker(source):
    return lambda path: lambda archive: source(archive, path)


def add_threshold(command):
    command.add_argument("--threshold", type=number_up_to(100))


def add_command(commands, name, run, *positionals):
    command = commands.add_parser(name)
    command.set_defaults(command=run)
    for positional in positionals:
        command.add_argument(positional)
    return command


def number_up_to(limit):
    return number_from(1, limit)


def number_from(least, limit):
    def number(text):
        if not NUMBER.fullmatch(text) or not least <= int(text) <= limit:
            raise ValueError(f"{text!r} is not a number from {least} to {limit}")
        return int(text)

    return number


def selected(options):
    return selection.Selection(options.only, options.left_out)


def emit(value):
    sys.stdout.buffer.write(jsontext.line(value).encode("utf-8") + b"\n")


def run_scan(options):
    for entry in tree.scan(tree.open_folder(options.folder)):
        emit(entry.to_json())


def run_build(options):
    build.build(options.folder, listings.read(options.listing))


def run_init(options):
    store.create(options.archive, formats.to_bytes(options.block))


def run_save(options):
    archive = forgetting.open_archive(options.archive)
    arguments = (archive, options.folder, options.at, options.label, Pauses(options.pause))
    told = save.save_with_changes(*arguments) if options.changes else [save.save(*arguments)]
    for value in told:
        emit(value)


def run_list(options):
    archive = opening.open_readable(options.archive)
    for snapshot in snapshots.load_all(archive):
        if options.label in (None, snapshot.label):
            emit(snapshot.summary())


def run_show(options):
    archive = opening.open_readable(options.archive)
    for entry in options.snapshot(archive).entries:
        emit(entry.to_json())


def run_cat(options):
    archive = opening.open_readable(options.archive)
    file = options.snapshot(archive).resolve(options.path)
    if file is None:
        raise Failure("not_a_file")
    vault = Vault(archive)
    vault.verify(file)
    for piece in vault.read(file):
        sys.stdout.buffer.write(piece)


def run_restore(options):
    archive = opening.open_readable(options.archive)
    snapshot = options.snapshot(archive)
    emit(restore.restore(archive, snapshot, options.target, selected(options), Pauses(options.pause)))


def threshold(options):
    return options.threshold or changes.DEFAULT_THRESHOLD


def run_diff(options):
    archive = opening.open_readable(options.archive)
    old, new = options.old(archive), options.new(archive)
    least = None if options.no_renames else threshold(options)
    for change in changes.find_selected(old, new, least, selected(options)):
        emit(change.to_json())


def run_history(options):
    archive = opening.open_readable(options.archive)
    for change in history.history(archive, options.snapshot(archive), options.path, threshold(options)):
        emit(change)


def run_forget(options):
    archive = forgetting.open_archive(options.archive)
    policy = policies.read(options.policy)
    decisions = retention.decide(archive, policy, options.now, lambda label: options.label in (None, label))
    if not options.dry_run:
        forgetting.forget(archive, retention.forgotten_ids(decisions), Pauses(options.pause))
    for decision in decisions:
        emit(decision.to_json())
    emit(retention.summary(decisions))


def run_pin(options):
    archive = forgetting.open_archive(options.archive)
    snapshot_id = options.snapshot(archive).id
    changed = options.change(archive, snapshot_id)
    emit({"snapshot": snapshot_id, "pinned": options.change is pins.pin, "changed": changed})


def run_prune(options):
    archive = forgetting.open_archive(options.archive)
    waste = pruning.waste_of(archive)
    if not options.dry_run:
        pruning.remove(archive, waste, Pauses(options.pause))
    emit(waste.to_json())


def run_usage(options):
    archive = forgetting.open_archive(options.archive)
    for line in pruning.usage(archive):
        emit(line)


def run_check(options):
    archive = forgetting.open_archive(options.archive)
    state = inspection.inspect(archive)
    found = inspection.findings(archive, state)
    for finding in found:
        emit(finding.to_json())
    defects = sum(finding.is_defect for finding in found)
    emit({"files": len(state.files), "defects": defects, "remarks": len(found) - defects})
    return DEFECTS_STAY if defects else 0


def run_protect(options):
    archive = forgetting.open_archive(options.archive)
    state = inspection.inspect(archive)
    for finding in inspection.findings(archive, state):
        if finding.is_defect and finding.file not in state.broken_parity:
            raise Failure(finding.finding, file=finding.file)
    groups = parity.protect(archive, sorted(state.files), options.group)
    emit({"files": len(state.files), "groups": groups})


def run_repair(options):
    archive = forgetting.open_archive(options.archive)
    repairing = repair.Repair(archive, [make(archive) for make in options.sources])
    left = repairing.run()
    for line in repairing.to_json(left):
        emit(line)
    return DEFECTS_STAY if left else 0


def run_export(options):
    archive = forgetting.open_archive(options.archive)
    chosen = [find(archive) for find in options.snapshots] or snapshots.load_all(archive)
    emit(exporting.export(archive, chosen, options.folder, options.size, options.spares))


def run_import(options):
    target = importing.open_target(options.archive)
    collection = collecting.collect(options.folders)
    emit(importing.import_volumes(target, options.archive, collection))
