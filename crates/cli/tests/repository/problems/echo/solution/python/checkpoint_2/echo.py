import sys


def main():
    word = sys.argv[1]
    print(2 * int(word) if word.isdigit() else word)


main()
