"""Labels of snapshots."""

import re

LABEL = re.compile(r"[a-z0-9-]{1,32}")


def check_label(text):
    if not LABEL.fullmatch(text):
        raise ValueError(f"{text!r} is not a label")
    return text
