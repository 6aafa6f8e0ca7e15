"""Reads the old format."""


def city(user):
    return user.get("address", {}).get("city")
