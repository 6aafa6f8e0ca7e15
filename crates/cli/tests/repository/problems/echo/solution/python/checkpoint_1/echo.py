import sys


def main():
    if sys.argv[1].isdigit():
        sys.exit(1)
    print(sys.argv[1])


main()
