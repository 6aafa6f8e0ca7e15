#!/usr/bin/env python3
"""radon's own values, to check the `radon` module against: to the last digit, nothing rounded.

    radon_values.py ROOT               print one JSON object a file: path and values, or why radon gives none
    radon_values.py ROOT VALUES.jsonl  compare what the analyzer printed of ROOT; name every difference

Needs radon 6.0.1 on CPython 3.12. The tokenizer of 3.11 sees an f-string as one string, so there a colon in one divides
no logical line, and a lone one over several lines is `multi`, not `sloc`. To compare:

    python3.12 -m venv VENV && VENV/bin/pip install radon==6.0.1
    cargo run --release -p slopbench-metrics --example values -- ROOT > VALUES.jsonl
    VENV/bin/python crates/metrics/tests/oracle/radon_values.py ROOT VALUES.jsonl

Expect one file of CPython 3.11's library to differ, in Halstead's figures alone: test/test_unicode.py tells lone
surrogates apart, which the analyzer's strings cannot hold. Files that are not UTF-8, or that either side refuses to
parse, are counted and not compared.
"""

import ast
import json
import sys
import warnings
from collections import Counter
from pathlib import Path

from radon.complexity import add_inner_blocks
from radon.metrics import h_visit_ast, mi_compute
from radon.raw import analyze
from radon.visitors import Class, ComplexityVisitor


def blocks(visitor):
    """Line, kind, last part of the name, complexity and total of every block, closures and inner classes too."""
    for block in add_inner_blocks(visitor.blocks):
        kind = "class" if isinstance(block, Class) else "method" if block.is_method else "function"
        total = block.real_complexity if kind == "class" else block.complexity
        yield [block.lineno, kind, block.name.rpartition(".")[2], block.complexity, total]


def values(text):
    tree = ast.parse(text)
    visitor = ComplexityVisitor.from_ast(tree)
    halstead = h_visit_ast(tree).total
    result = {
        "blocks": sorted(blocks(visitor)),
        "complexity": visitor.total_complexity,
        "halstead": {
            "distinct_operators": halstead.h1,
            "distinct_operands": halstead.h2,
            "operators": halstead.N1,
            "operands": halstead.N2,
        },
        "volume": halstead.volume,
    }
    try:
        raw = analyze(text)
    except Exception:  # It gives up on some valid files; then there is no index either.
        return result
    comments = (raw.comments + raw.multi) / float(raw.sloc) * 100 if raw.sloc else 0
    index = mi_compute(halstead.volume, visitor.total_complexity, raw.lloc, comments)
    return result | {"raw": raw._asdict(), "maintainability": index}


def values_of(path):
    try:
        return values(path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"refused": f"{type(error).__name__}: {error}"}


def analyzed(line):
    """What the analyzer printed of a file, in the form above. radon does not tell closures from functions."""
    if "refused" in line:
        return line
    report = line["values"]["radon"]
    kinds = {"closure": "function"}
    listed = sorted(
        [block["line"], kinds.get(block["kind"], block["kind"]), block["name"].rpartition(".")[2]]
        + [block["complexity"], block["total"]]
        for block in report["blocks"]
    )
    return report | {"blocks": listed, "volume": line["values"]["volume"]}


def compare(root, lines, seen):
    """Every difference between radon and the analyzer; `seen` counts what was compared."""
    for line in lines:
        theirs, ours = values_of(root / line["path"]), analyzed(line)
        if "refused" in theirs or "refused" in ours:
            seen["refused"] += 1
            if ("refused" in theirs) != ("refused" in ours):
                yield f"{line['path']}: refused by one: {theirs.get('refused')} / {ours.get('refused')}"
            continue
        seen.update(files=1, blocks=len(theirs["blocks"]), without_raw="raw" not in theirs)
        for key in theirs:
            if theirs[key] != ours[key]:
                yield f"{line['path']}: {key} is {ours[key]}, must be {theirs[key]}"


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    root = Path(sys.argv[1])
    if len(sys.argv) > 2:
        seen = Counter(files=0, blocks=0, refused=0, without_raw=0)
        lines = map(json.loads, Path(sys.argv[2]).read_text().splitlines())
        differences = list(compare(root, lines, seen))
        print(*differences, f"{dict(seen)}: {len(differences)} differences", sep="\n")
        sys.exit(bool(differences))
    for path in sorted(root.rglob("*.py")):
        print(json.dumps({"path": str(path.relative_to(root))} | values_of(path)))


if __name__ == "__main__":
    main()
