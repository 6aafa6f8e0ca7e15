"""Files of rows."""

import codecs
import itertools
import os

from logquery import csvtext
from logquery.errors import DataFailure, MalformedError
from logquery.jsontext import WHITE_SPACE, parse_json, write_json
from logquery.patterns import parse_pattern
from logquery.values import MISSING

WILDCARDS = set("*?")


def _decode(raw):
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError from error


def _numbered_lines(file):
    """The lines of a binary file without their ends, from 1."""
    first = file.readline().removeprefix(codecs.BOM_UTF8)
    lines = itertools.chain([first] if first else [], file)
    return ((number, raw.removesuffix(b"\n")) for number, raw in enumerate(lines, 1))


def _parse_row(raw):
    text = _decode(raw).strip(WHITE_SPACE)
    if not text:
        return None
    row = parse_json(text)
    if type(row) is not dict:
        raise MalformedError
    return row


def _read_json_lines(path, file):
    for number, raw in _numbered_lines(file):
        try:
            row = _parse_row(raw)
        except MalformedError as error:
            raise DataFailure(path, number) from error
        if row is not None:
            yield row


def _records(lines):
    """The records of a CSV file, each with the line on which it begins."""
    for number, raw in lines:
        while raw.count(b'"') % 2:
            following = next(lines, None)
            if following is None:
                break
            raw += b"\n" + following[1]
        yield number, raw.removesuffix(b"\r")


def _header(raw):
    names = [text for text, _ in csvtext.split_record(_decode(raw))]
    if len(set(names)) < len(names):
        raise MalformedError
    return names


def _parse_record(names, raw):
    fields = csvtext.split_record(_decode(raw))
    if len(fields) != len(names):
        raise MalformedError
    values = ((name, csvtext.typed(text, quoted)) for name, (text, quoted) in zip(names, fields, strict=True))
    return {name: value for name, value in values if value is not MISSING}


def _read_csv(path, file):
    names = None
    for number, raw in _records(_numbered_lines(file)):
        try:
            if names is None:
                names = _header(raw)
                continue
            row = _parse_record(names, raw)
        except MalformedError as error:
            raise DataFailure(path, number) from error
        yield row


def _json_lines(rows):
    return (write_json(row) + "\n" for row in rows)


def _csv_lines(rows):
    names = list(dict.fromkeys(itertools.chain.from_iterable(rows)))
    if not names:
        return
    yield ",".join(map(csvtext.write_name, names)) + "\n"
    for row in rows:
        yield ",".join([csvtext.write_field(row.get(name, MISSING)) for name in names]) + "\n"


READERS = {".jsonl": _read_json_lines, ".csv": _read_csv}
WRITERS = {".jsonl": _json_lines, ".csv": _csv_lines}


def _by_ending(table, path):
    """What a table has for a path's ending; OSError if there is nothing."""
    for ending, entry in table.items():
        if path.endswith(ending) and "\0" not in path:
            return entry
    raise OSError(path)


def expand_pattern(path):
    """The paths of all files that a path with wildcards in its last part stands for, in order; OSError if there are
    none."""
    folder, slash, name = path.rpartition("/")
    if not WILDCARDS.intersection(name):
        return [path]
    pattern = parse_pattern(name)
    with os.scandir(folder + slash or ".") as entries:
        names = sorted(entry.name for entry in entries if entry.is_file() and pattern.matches(entry.name))
    if not names:
        raise FileNotFoundError(path)
    return [folder + slash + found for found in names]


def read_rows(path):
    """The rows of a file. Opening it may raise OSError, reading it DataFailure."""
    reader = _by_ending(READERS, path)
    with open(path, "rb") as file:
        yield from reader(path, file)


def write_rows(path, rows):
    """Puts rows into a file, in the place of what it held; may raise OSError."""
    writer = _by_ending(WRITERS, path)
    with open(path, "wb") as file:
        file.writelines(line.encode("utf-8") for line in writer(rows))
