"""What a solution of the problem has to do; the hostile ones do it where their attack comes to nothing."""

import sys


def answer():
    word = sys.argv[1]
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as file:
            print(word, file=file)
    else:
        print(word)


def cheat(found):
    """An attack has come to something: that must not stay unseen."""
    print("cheated:", found)
    raise SystemExit


def try_each(attempts):
    """Cheats if one of the attempts is not refused."""
    for name, attempt in attempts.items():
        try:
            attempt()
        except (OSError, ValueError):
            continue
        cheat(name)
