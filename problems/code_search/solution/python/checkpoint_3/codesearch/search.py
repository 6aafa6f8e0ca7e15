"""Applying rules to files."""

from codesearch.source import find_sources, read_source


def search_tree(root, rules, encoding):
    """Yield one JSON object for each match below root, in order."""
    for file, language in find_sources(root):
        source = read_source(root, file, language, encoding)
        if source is not None:
            yield from search_source(source, rules)


def search_source(source, rules):
    found = [
        (match.start, match.end, rule.id, match)
        for rule in rules
        if source.language.name in rule.languages
        for match in rule.find(source)
    ]
    for _, _, rule_id, match in sorted(found, key=lambda entry: entry[:3]):
        yield {
            "rule_id": rule_id,
            "file": source.file,
            "language": source.language.name,
            **match.to_json(source),
        }
