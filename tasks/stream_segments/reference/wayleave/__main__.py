"""Entry script: runs the study and prints its table."""

import argparse

from wayleave.study import format_table, run_study


def main():
    parser = argparse.ArgumentParser(prog="wayleave", description="Run the synthetic study and print its table.")
    parser.add_argument("--streams", type=int, default=4, help="streams of each family")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    print(format_table(run_study(options.streams, options.seed)))


if __name__ == "__main__":
    main()
