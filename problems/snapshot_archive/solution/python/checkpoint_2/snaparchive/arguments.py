"""Arguments that several commands take."""

import re

NUMBER = re.compile(r"0|[1-9][0-9]{0,12}")
DEFAULT_THRESHOLD = 60


def number_from(least, limit):
    def number(text):
        if not NUMBER.fullmatch(text) or not least <= int(text) <= limit:
            raise ValueError(f"{text!r} is not a number from {least} to {limit}")
        return int(text)

    return number


def add_threshold(command):
    command.add_argument("--threshold", type=number_from(1, 100))


def threshold(options):
    return options.threshold or DEFAULT_THRESHOLD
