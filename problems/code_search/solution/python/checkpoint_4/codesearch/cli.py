"""The command line."""

import argparse
import io
import json
import sys
from pathlib import Path

from codesearch.errors import SearchError, UsageError
from codesearch.rules import load_rules
from codesearch.search import search_tree


class ArgumentParser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def parse_arguments(argv):
    parser = ArgumentParser(prog="code_search.py", allow_abbrev=False, add_help=False)
    parser.add_argument("root_dir", type=Path)
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--encoding", default="utf-8")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    arguments = parser.parse_args(argv)
    if arguments.dry_run and not arguments.fix:
        raise UsageError("--dry-run needs --fix")
    if not arguments.root_dir.is_dir():
        raise UsageError(f"{str(arguments.root_dir)!r} is not a directory")
    check_encoding(arguments.encoding)
    return arguments


def check_encoding(name):
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=name)
    except (LookupError, ValueError) as error:
        raise UsageError(f"unknown encoding {name!r}") from error


def read_rules_file(path):
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read rules file {str(path)!r}") from error


def main(argv):
    try:
        arguments = parse_arguments(argv)
        rules = load_rules(read_rules_file(arguments.rules))
    except SearchError as error:
        print("error:", " ".join(str(error).split()), file=sys.stderr)
        return error.exit_code
    records = search_tree(
        arguments.root_dir, rules, arguments.encoding, fix=arguments.fix, dry_run=arguments.dry_run
    )
    for record in records:
        print(json.dumps(record))
    return 0
