"""Rules: reading and checking them, and finding their matches in a source file."""

import json
import re
from dataclasses import dataclass

from codesearch.errors import RuleError
from codesearch.languages import LANGUAGES
from codesearch.matches import Match
from codesearch.patterns import Pattern

REGEX_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}


@dataclass(frozen=True)
class Rule:
    id: str
    languages: frozenset


@dataclass(frozen=True)
class TextRule(Rule):
    """Finds text, without regard to the language."""

    regex: re.Pattern

    def find(self, source):
        for match in self.regex.finditer(source.text):
            if match.group():
                yield Match(*match.span())


@dataclass(frozen=True)
class PatternRule(Rule):
    """Finds code; holds the pattern for each language."""

    patterns: dict

    def find(self, source):
        return self.patterns[source.language.name].find(source.code)


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
    return TextRule(entry.text("id"), entry.languages(), regex)


def build_regex(entry):
    entry.allow_keys({"id", "kind", "pattern", "languages", "regex_flags"})
    flags = 0
    for name in entry.choices("regex_flags", REGEX_FLAGS):
        flags |= REGEX_FLAGS[name]
    try:
        regex = re.compile(entry.text("pattern"), flags)
    except re.error as error:
        raise RuleError(f"the regular expression does not compile: {error}") from error
    return TextRule(entry.text("id"), entry.languages(), regex)


def build_pattern(entry):
    entry.allow_keys({"id", "kind", "pattern", "languages"})
    text = entry.text("pattern")
    languages = entry.languages()
    patterns = {name: Pattern(text, LANGUAGES[name]) for name in sorted(languages)}
    return PatternRule(entry.text("id"), languages, patterns)


BUILDERS = {"exact": build_exact, "regex": build_regex, "pattern": build_pattern}
