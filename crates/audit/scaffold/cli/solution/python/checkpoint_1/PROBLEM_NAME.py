"""Counts the words of standard input."""

import json
import sys


def main(arguments):
    if arguments != ["count"]:
        return 2
    print(json.dumps({"words": len(sys.stdin.read().split())}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
