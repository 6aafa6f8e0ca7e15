"""The command line."""

import argparse
import re
import sys

from snaparchive import build, instants, jsontext, listings, names, restore, save, snapshots, store, tree
from snaparchive.errors import Failure, WrongUsage

LABEL = re.compile(r"[a-z0-9-]{1,32}")


class Parser(argparse.ArgumentParser):
    def __init__(self, **options):
        super().__init__(allow_abbrev=False, add_help=False, **options)

    def error(self, message):
        raise WrongUsage


def main(arguments):
    try:
        options = make_parser().parse_args(arguments)
        options.command(options)
    except Failure as failure:
        sys.stderr.buffer.write(jsontext.line(failure.to_json()).encode("utf-8") + b"\n")
        return failure.exit_code
    return 0


def make_parser():
    parser = Parser()
    commands = parser.add_subparsers(required=True)
    add_command(commands, "scan", run_scan, "folder")
    add_command(commands, "build", run_build, "folder", "listing")
    add_command(commands, "init", run_init, "archive")
    saving = add_command(commands, "save", run_save, "archive", "folder")
    saving.add_argument("--at", required=True, type=instants.parse)
    saving.add_argument("--label", type=label)
    listing = add_command(commands, "list", run_list, "archive")
    listing.add_argument("--label", type=label)
    showing = add_command(commands, "show", run_show, "archive")
    showing.add_argument("snapshot", type=snapshots.parse_selector)
    printing = add_command(commands, "cat", run_cat, "archive")
    printing.add_argument("snapshot", type=snapshots.parse_selector)
    printing.add_argument("path", type=names.path_from_text)
    restoring = add_command(commands, "restore", run_restore, "archive")
    restoring.add_argument("snapshot", type=snapshots.parse_selector)
    restoring.add_argument("target")
    return parser


def add_command(commands, name, run, *positionals):
    command = commands.add_parser(name)
    command.set_defaults(command=run)
    for positional in positionals:
        command.add_argument(positional)
    return command


def label(text):
    if not LABEL.fullmatch(text):
        raise ValueError(f"{text!r} is not a label")
    return text


def emit(value):
    sys.stdout.buffer.write(jsontext.line(value).encode("utf-8") + b"\n")


def run_scan(options):
    for entry in tree.scan(tree.open_folder(options.folder)):
        emit(entry.to_json())


def run_build(options):
    build.build(options.folder, listings.read(options.listing))


def run_init(options):
    store.create(options.archive)


def run_save(options):
    archive = store.open_archive(options.archive)
    emit(save.save(archive, options.folder, options.at, options.label))


def run_list(options):
    archive = store.open_archive(options.archive)
    for snapshot in snapshots.load_all(archive):
        if options.label in (None, snapshot.label):
            emit(snapshot.summary())


def run_show(options):
    archive = store.open_archive(options.archive)
    for entry in options.snapshot(archive).entries:
        emit(entry.to_json())


def run_cat(options):
    archive = store.open_archive(options.archive)
    file = options.snapshot(archive).resolve(options.path)
    if file is None:
        raise Failure("not_a_file")
    archive.verify_object(file.sha256)
    for piece in archive.read_object(file.sha256):
        sys.stdout.buffer.write(piece)


def run_restore(options):
    archive = store.open_archive(options.archive)
    snapshot = options.snapshot(archive)
    emit(restore.restore(archive, snapshot, options.target))
