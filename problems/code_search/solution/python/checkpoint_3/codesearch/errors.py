"""Errors that end the program, each with its exit code."""


class SearchError(Exception):
    exit_code = 1


class UsageError(SearchError):
    """The command line is wrong."""

    exit_code = 2


class RuleError(SearchError):
    """The content of the rules file is wrong."""

    exit_code = 1
