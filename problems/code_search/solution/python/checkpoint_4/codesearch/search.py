"""Applying rules to files."""

from dataclasses import dataclass
from typing import Optional

from codesearch.fixes import Edit, apply_edits
from codesearch.matches import Match
from codesearch.rules import Rule
from codesearch.source import find_sources, read_source
from codesearch.suppressions import Suppressions


@dataclass(frozen=True)
class Finding:
    rule: Rule
    match: Match
    edit: Optional[Edit]

    def to_json(self, source, with_status):
        record = {
            "rule_id": self.rule.id,
            "file": source.file,
            "language": source.language.name,
            **self.match.to_json(source),
        }
        if self.edit:
            record["replacement"] = self.edit.replacement
            if with_status:
                record["status"] = self.edit.status
        return record


def search_tree(root, rules, encoding, fix=False, dry_run=False):
    """Yield one JSON object for each match below root, in order; change the files on demand."""
    for file, language in find_sources(root):
        source = read_source(root, file, language, encoding)
        if source is None:
            continue
        findings = find_in_source(source, rules)
        if fix:
            apply_edits([finding.edit for finding in findings if finding.edit], source, dry_run)
        findings.sort(key=lambda finding: (finding.match.start, finding.match.end, finding.rule.id))
        for finding in findings:
            yield finding.to_json(source, with_status=fix)


def find_in_source(source, rules):
    """Return what the rules find, rule by rule and in the order of output for each of them."""
    findings = []
    suppressions = Suppressions(source)
    for rule in rules:
        if source.language.name in rule.languages:
            found = (match for match in rule.find(source) if not suppressions.hold_for(rule, match))
            matches = sorted(found, key=lambda match: (match.start, match.end))
            findings += [Finding(rule, match, make_edit(rule, match, source)) for match in matches]
    return findings


def make_edit(rule, match, source):
    return Edit(match, rule.fix.expand(match, source.text)) if rule.fix else None
