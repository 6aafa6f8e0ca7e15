#!/usr/bin/env python3
"""radon's own values, to check a measurement against: to the last digit, nothing rounded.

    radon_values.py ROOT MEASUREMENT.json  compare what `slopbench measure --json ROOT` printed; name every difference

Needs radon 6.0.1 on CPython 3.12. The tokenizer of 3.11 sees an f-string as one string, so there a colon in one divides
no logical line, and a lone one over several lines is `multi`, not `sloc`. `cargo xtask oracles` installs and calls it.

Two things are left out and counted: what depends on Halstead's operands, in files whose strings have lone surrogates,
which are all alike to the analyzer (`surrogates`); raw counts and the index where radon's raw counts give up on a valid
file (`without_raw`).
"""

import ast
import json
import sys
import warnings
from collections import Counter, defaultdict
from pathlib import Path

from radon.complexity import add_inner_blocks
from radon.metrics import h_visit_ast, mi_compute
from radon.raw import analyze
from radon.visitors import Class, ComplexityVisitor

from source import decoded


def blocks(visitor):
    """Line, kind, last part of the name, complexity and total of every block, closures and inner classes too."""
    for block in add_inner_blocks(visitor.blocks):
        kind = "class" if isinstance(block, Class) else "method" if block.is_method else "function"
        total = block.real_complexity if kind == "class" else block.complexity
        yield [block.lineno, kind, block.name.rpartition(".")[2], block.complexity, total]


OF_OPERANDS = ["distinct_operands", "volume", "effort"]


def is_surrogate(value):
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


def values(text):
    """What the measurement is to say of a file: its blocks, and its figures by their names there."""
    tree = ast.parse(text)
    visitor = ComplexityVisitor.from_ast(tree)
    halstead = h_visit_ast(tree).total
    found = sorted(blocks(visitor))
    figures = {
        "blocks": len(found),
        "complexity": visitor.total_complexity,
        "distinct_operators": halstead.h1,
        "distinct_operands": halstead.h2,
        "operators": halstead.N1,
        "operands": halstead.N2,
        "volume": halstead.volume,
        "effort": halstead.effort,
    }
    if any(isinstance(node, ast.Constant) and is_surrogate(node.value) for node in ast.walk(tree)):
        for key in OF_OPERANDS:
            del figures[key]
    try:
        raw = analyze(text)
    except Exception:  # It gives up on some valid files; then there is no index either.
        return found, figures
    comments = (raw.comments + raw.multi) / float(raw.sloc) * 100 if raw.sloc else 0
    figures |= raw._asdict()
    if "volume" in figures:
        figures["maintainability"] = mi_compute(halstead.volume, visitor.total_complexity, raw.lloc, comments)
    return found, figures


def values_of(path):
    try:
        return values(decoded(path.read_bytes()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def by_path(entries):
    found = defaultdict(list)
    for entry in entries:
        found[entry["path"]].append(entry)
    return found


def listed(block):
    """A block in the form above. radon does not tell closures from functions."""
    kind = "function" if block["kind"] == "closure" else block["kind"]
    return [block["line"], kind, block["name"].rpartition(".")[2], block["complexity"], block["total"]]


def compare(root, measurement, seen):
    """Every difference between radon and the measurement; `seen` counts what was compared."""
    their_blocks, callables = by_path(measurement["blocks"]), by_path(measurement["callables"])
    for file in measurement["files"]:
        path = file["path"]
        theirs = values_of(root / path)
        if theirs is None:
            yield f"{path}: must be refused"
            continue
        found, figures = theirs
        seen.update(files=1, blocks=len(found), callables=len(callables[path]), without_raw="sloc" not in figures)
        seen.update(surrogates="volume" not in figures)
        blocks_here = sorted(map(listed, their_blocks[path]))
        if blocks_here != found:
            yield f"{path}: blocks are {blocks_here}, must be {found}"
        by_line = {line: complexity for line, kind, _, complexity, _ in found if kind != "class"}
        for callable in callables[path]:
            must = by_line.get(callable["start_line"])
            if callable.get("radon_cc") != must:
                yield f"{path}:{callable['start_line']}: radon_cc is {callable.get('radon_cc')}, must be {must}"
        yield from (
            f"{path}: {key} is {file['radon'].get(key)}, must be {figures[key]}"
            for key in figures
            if file["radon"].get(key) != figures[key]
        )


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    seen = Counter(files=0, blocks=0, callables=0, without_raw=0, surrogates=0)
    measurement = json.loads(Path(sys.argv[2]).read_text())
    differences = list(compare(Path(sys.argv[1]), measurement, seen))
    print(*differences, f"{dict(seen)}: {len(differences)} differences", sep="\n")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
