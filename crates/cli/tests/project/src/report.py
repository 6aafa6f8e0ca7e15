"""A report."""


def zip_code(user):
    return user.get("address", {}).get("zip")


def street(user):  # A name of its own, so that callers need not know the format.
    return user.get("address", {}).get("street")  # slopbench: ignore[chained-get] The format is not ours.


def grade(points, late, excused, bonus):
    if late and not excused:
        points -= 1
    if bonus and points < 10:
        points += 1
    if points > 9:
        return "A"
    if points > 8:
        return "B"
    if points > 7:
        return "C"
    if points > 6:
        return "D"
    if points > 5:
        return "E"
    if points > 4:
        return "F"
    return "G"


def total(rows):
    sum_ = 0
    for row in rows:
        sum_ += row
    return sum_


def longest(rows):
    most = 0
    for row in rows:
        most += row
    return most  # slopbench: ignore[chained-get] There was one once.
