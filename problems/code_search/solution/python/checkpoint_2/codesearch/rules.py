"""Rules: reading and checking them, and finding their matches in a text."""

import json
import re
from dataclasses import dataclass

from codesearch.errors import RuleError
from codesearch.languages import LANGUAGES

REGEX_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}


@dataclass(frozen=True)
class Rule:
    id: str
    languages: frozenset
    regex: re.Pattern

    def find(self, text):
        """Yield the matches' spans."""
        for match in self.regex.finditer(text):
            if match.group():
                yield match.span()


def load_rules(content):
    """Return the rules in a rules file's bytes."""
    try:
        entries = json.loads(content.decode("utf-8"))
    except ValueError as error:
        raise RuleError(f"the rules file is not JSON in UTF-8: {error}") from error
    if not isinstance(entries, list):
        raise RuleError("the rules file does not hold an array")
    rules = [build_rule(RuleEntry(entry)) for entry in entries]
    check_ids(rules)
    return rules


def check_ids(rules):
    seen = set()
    for rule in rules:
        if rule.id in seen:
            raise RuleError(f"two rules have the id {rule.id!r}")
        seen.add(rule.id)


class RuleEntry:
    """The JSON of one rule; checks the values as they are taken."""

    def __init__(self, values):
        if not isinstance(values, dict):
            raise RuleError("a rule is not an object")
        self.values = values

    def allow_keys(self, keys):
        unknown = sorted(self.values.keys() - keys)
        if unknown:
            raise RuleError(f"unknown key {unknown[0]!r} in a rule")

    def text(self, key):
        value = self.values.get(key)
        if not isinstance(value, str) or not value:
            raise RuleError(f"{key!r} must be a non-empty string")
        return value

    def choices(self, key, permitted, default=()):
        value = self.values.get(key, list(default))
        if not isinstance(value, list) or any(item not in tuple(permitted) for item in value):
            raise RuleError(f"{key!r} must be an array of {', '.join(permitted)}")
        return value

    def languages(self):
        languages = self.choices("languages", LANGUAGES, default=LANGUAGES)
        if not languages:
            raise RuleError("'languages' must not be empty")
        return frozenset(languages)


def build_rule(entry):
    kind = entry.text("kind")
    if kind not in BUILDERS:
        raise RuleError(f"unknown kind {kind!r}")
    return BUILDERS[kind](entry)


def build_exact(entry):
    entry.allow_keys({"id", "kind", "pattern", "languages"})
    regex = re.compile(re.escape(entry.text("pattern")))
    return Rule(entry.text("id"), entry.languages(), regex)


def build_regex(entry):
    entry.allow_keys({"id", "kind", "pattern", "languages", "regex_flags"})
    flags = 0
    for name in entry.choices("regex_flags", REGEX_FLAGS):
        flags |= REGEX_FLAGS[name]
    try:
        regex = re.compile(entry.text("pattern"), flags)
    except re.error as error:
        raise RuleError(f"the regular expression does not compile: {error}") from error
    return Rule(entry.text("id"), entry.languages(), regex)


BUILDERS = {"exact": build_exact, "regex": build_regex}
