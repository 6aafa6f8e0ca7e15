"""Counts the words of standard input, together or one by one."""

import json
import sys
from collections import Counter

COMMANDS = {"count": lambda words: {"words": len(words)}, "frequencies": Counter}


def main(arguments):
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        return 2
    print(json.dumps(COMMANDS[arguments[0]](sys.stdin.read().split())))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
