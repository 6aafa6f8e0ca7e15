import json
import os
import sys
from decimal import Decimal, InvalidOperation


def say(value):
    rounded = value.quantize(Decimal("0.001")).normalize()
    return f"{rounded:f}"


def main(length, given, wanted):
    with open(os.environ["SCBENCH_ASSET_UNITS"], encoding="utf-8") as file:
        units = {unit: Decimal(metres) for unit, metres in json.load(file).items()}
    for unit in (given, wanted):
        if unit not in units:
            print(f"unknown unit: {unit}", file=sys.stderr)
            return 2
    try:
        print(say(Decimal(length) * units[given] / units[wanted]))
    except InvalidOperation:
        print(f"no number: {length}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
