"""Standard output."""

import sys

from snaparchive import jsontext


def emit(value):
    sys.stdout.buffer.write(jsontext.line(value).encode("utf-8") + b"\n")
