"""Applying rules to files."""

from codesearch.source import Lines, find_sources, read_text


def search_tree(root, rules, encoding):
    """Yield one JSON object for each match below root, in order."""
    for file, language in find_sources(root):
        applicable = [rule for rule in rules if language in rule.languages]
        text = read_text(root / file, encoding)
        if text is not None:
            yield from search_file(file, language, text, applicable)


def search_file(file, language, text, rules):
    lines = Lines(text)
    spans = [(start, rule.id, end) for rule in rules for start, end in rule.find(text)]
    for start, rule_id, end in sorted(spans):
        yield {
            "rule_id": rule_id,
            "file": file,
            "language": language,
            "start": lines.position(start).to_json(),
            "end": lines.position(end).to_json(),
            "match": text[start:end],
        }
