"""The text of a Python file, as CPython reads it."""

import io
import tokenize


def decoded(data):
    """The text in the encoding that a cookie or a byte order mark names (PEP 263), with `\\n` at the ends of lines.

    Raises SyntaxError where there is no such encoding, and ValueError where the bytes are not of it.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
