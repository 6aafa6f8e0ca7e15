import json
import os
import sys
from decimal import Decimal, InvalidOperation


def say(value):
    rounded = value.quantize(Decimal("0.001")).normalize()
    return f"{rounded:f}"


def answer_all(factor):
    with open("history.txt", "a", encoding="utf-8") as history:
        for line in sys.stdin:
            try:
                answer = say(Decimal(line.strip()) * factor)
            except InvalidOperation:
                answer = "?"
            print(answer)
            print(answer, file=history)


def main(length, given, wanted):
    with open(os.environ["SCBENCH_ASSET_UNITS"], encoding="utf-8") as file:
        units = {unit: Decimal(metres) for unit, metres in json.load(file).items()}
    for unit in (given, wanted):
        if unit not in units:
            print(f"unknown unit: {unit}", file=sys.stderr)
            return 2
    factor = units[given] / units[wanted]
    if length == "-":
        answer_all(factor)
        return 0
    try:
        print(say(Decimal(length) * factor))
    except InvalidOperation:
        print(f"no number: {length}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
