#!/usr/bin/env python3
"""An independent statement of the Python metrics, to check the Rust analyzer against.

    oracle.py ROOT                   print one JSON object a file: path and figures, or why it is refused
    oracle.py ROOT MEASUREMENT.json  compare a `slopbench.measurement/1` of ROOT; name every difference

Needs CPython 3.12 with radon 6.0.1, tree-sitter 0.25 and tree-sitter-python 0.25.0. It follows the definitions word by
word, slowly: shapes are strings, sets are sets, radon and `ast` and `tokenize` themselves are asked.
"""

import ast
import io
import json
import math
import sys
import tokenize
import warnings
from collections import defaultdict
from multiprocessing import Pool
from pathlib import Path

import tree_sitter
import tree_sitter_python
from radon.raw import analyze

from source import decoded

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))

EXCLUDED = {"__pycache__", "venv", ".venv", "virtualenv", ".virtualenv", ".git", "node_modules", ".tox", ".nox"}
LISTING = {"module", "class_definition", "function_definition", "decorated_definition", "block"}
DECISIONS = {
    "if_statement", "elif_clause", "for_statement", "while_statement", "except_clause", "assert_statement",
    "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression",
    "boolean_operator", "conditional_expression", "if_clause",
}
UNITS = {
    "function_definition", "if_statement", "for_statement", "while_statement", "with_statement", "try_statement",
    "match_statement",
}
LITERALS = {
    "string": "S", "string_content": "S", "f_string": "S", "string_fragment": "S", "bytes": "S",
    "integer": "I", "float": "F", "imaginary": "F", "true": "B", "false": "B", "none": "N",
}
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}


def descendants(node):
    stack = list(node.children)
    while stack:
        node = stack.pop()
        yield node
        stack.extend(node.children)


def callables(node, out):
    for child in node.children:
        if child.type == "function_definition":
            lines = [line.strip() for line in child.text.decode().split("\n")]
            cc = 1 + sum(below.type in DECISIONS for below in descendants(child))
            sloc = sum(1 for line in lines if line and not line.startswith("#"))
            out.append({"start_line": child.start_point[0] + 1, "cc": cc, "sloc": sloc, "mass": cc * math.sqrt(sloc)})
        if child.type in LISTING:
            callables(child, out)
    return out


def shape(node, numbers):
    if node.type == "identifier":
        return str(numbers.setdefault(node.text, len(numbers)))
    if node.type in LITERALS:
        return LITERALS[node.type]
    if not node.named_children:
        return node.type
    children = [shape(child, numbers) for child in node.named_children]
    return f"{node.type}({' '.join(children)})"


def clone_lines(root):
    units = defaultdict(list)
    for node in descendants(root):
        first, last = node.start_point[0] + 1, node.end_point[0] + 1
        if node.is_named and node.type in UNITS and last - first + 1 >= 3:
            units[shape(node, {})].append(range(first, last + 1))
    return {line for spans in units.values() if len(spans) > 1 for span in spans for line in span}


def sloc_lines(text, tree):
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {token.start[0] for token in tokens if token.type not in LAYOUT}
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                lines -= set(range(value.lineno, value.end_lineno + 1))
    return lines


def loc(text):
    """radon's sloc. None, which is not compared, where radon itself gives up on a valid file."""
    try:
        return analyze(text).sloc
    except Exception:
        return None


def measure(data):
    try:
        text = decoded(data)
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"refused": f"{type(error).__name__}: {error}"}
    root = PARSER.parse(text.encode()).root_node
    found = sorted(callables(root, []), key=lambda callable: callable["start_line"])
    mass = math.fsum(callable["mass"] for callable in found)
    eroded = math.fsum(callable["mass"] for callable in found if callable["cc"] > 10)
    return {
        "total_lines": text.count("\n") + (not text.endswith("\n") and text != ""),
        "loc": loc(text),
        "sloc_lines": len(sloc_lines(text, tree)),
        "callables": found,
        "mass": mass,
        "erosion": eroded / mass if mass else 0.0,
        "clone_lines": len(clone_lines(root)),
    }


def files(root):
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).parts
        if path.is_file() and not EXCLUDED.intersection(parts) and not any(part.endswith(".pyc") for part in parts):
            yield "/".join(parts), path


def measure_named(entry):
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    name, path = entry
    return name, measure(path.read_bytes())


def measure_all(root):
    with Pool() as pool:
        yield from pool.imap(measure_named, files(root))


def compare(root, measurement):
    """Every difference between the measurement and the definitions."""
    theirs = {file["path"]: dict(file, callables=[]) for file in measurement["files"]}
    for callable in measurement["callables"]:
        theirs[callable["path"]]["callables"].append({key: callable[key] for key in ("start_line", "cc", "sloc", "mass")})
    # Folders that are left out for their names hold nothing that the oracle looks at.
    skipped = {skip["path"]: skip for skip in measurement["skipped"] if skip["reason"] != "excluded"}
    for name, ours in measure_all(root):
        measured = theirs.pop(name, None)
        if "refused" in ours:
            if measured is not None or skipped.pop(name, None) is None:
                yield f"{name}: must be refused: {ours['refused']}"
        elif measured is None:
            yield f"{name}: must be measured, but: {skipped.pop(name, 'is not there')}"
        else:
            yield from (
                f"{name}: {key} is {measured[key]}, must be {ours[key]}"
                for key in ours
                if measured[key] != ours[key] and ours[key] is not None
            )
    yield from (f"{name}: must not be there" for name in [*theirs, *skipped])


def main():
    root = Path(sys.argv[1])
    if len(sys.argv) > 2:
        differences = list(compare(root, json.loads(Path(sys.argv[2]).read_text())))
        print(*differences, f"{len(differences)} differences", sep="\n")
        sys.exit(bool(differences))
    for name, figures in measure_all(root):
        print(json.dumps({"path": name} | figures))


if __name__ == "__main__":
    main()
