#!/usr/bin/env python3
"""A second statement of cognitive complexity, nesting, trivial wrappers and single-use functions.

    plain_values.py ROOT MEASUREMENT.json  compare what `slopbench measure --json ROOT` printed; name every difference

Needs nothing but CPython 3.12. It asks `ast`, and follows the definitions by recursion where the analyzer keeps lists.
`cargo xtask oracles` calls it. Which callables are listed is for `oracle.py` to check, since only the grammar of the
paper's implementation decides it: of test/test_compile.py in CPython's library, which that grammar does not understand,
none is. Here every one that is listed has to have the right figures.
"""

import ast
import json
import sys
import warnings
from collections import Counter
from itertools import groupby
from pathlib import Path

from source import decoded

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_decorator(function):
    inner = [statement for statement in function.body if isinstance(statement, FUNCTIONS)]
    rest = [statement for statement in function.body if not isinstance(statement, FUNCTIONS)]
    return len(inner) == 1 and all(isinstance(s, ast.Return) and isinstance(s.value, ast.Name) for s in rest)


def below(node, nesting, inner=()):
    """The cost of what is below a node; the fields that `inner` names are one level deeper."""
    total = 0
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                total += cost(child, nesting + (field in inner))
    return total


def orelse(node, nesting):
    """The cost of an `else`, or of the `elif` that `ast` takes for an `if` in an `else`."""
    body = node.orelse
    if not body:
        return 0
    if isinstance(node, ast.If) and is_elif(body):
        return 1 + cost(body[0].test, nesting) + suite(body[0].body, nesting + 1) + orelse(body[0], nesting)
    return 1 + suite(body, nesting + 1)


def is_elif(body):
    if len(body) != 1 or not isinstance(body[0], ast.If):
        return False
    line = SOURCE[body[0].lineno - 1].encode()
    return line[body[0].col_offset :].startswith(b"elif")


def suite(statements, nesting):
    return sum(cost(statement, nesting) for statement in statements)


def operations(node):
    """The operators of a sequence of `and` and `or`, and what stands between them."""
    if not isinstance(node, ast.BoolOp):
        return [], [node]
    operators, operands = operations(node.values[0])
    for value in node.values[1:]:
        inner_operators, inner_operands = operations(value)
        operators += [type(node.op), *inner_operators]
        operands += inner_operands
    return operators, operands


def function_cost(function, nesting):
    outside = below(function, nesting) - suite(function.body, nesting)
    if is_decorator(function):
        return outside + sum(function_cost(f, nesting) for f in function.body if isinstance(f, FUNCTIONS))
    return outside + suite(function.body, nesting)


def cost(node, nesting):
    if isinstance(node, ast.If):
        return 1 + nesting + cost(node.test, nesting) + suite(node.body, nesting + 1) + orelse(node, nesting)
    if isinstance(node, LOOPS):
        without_else = below(node, nesting, {"body"}) - suite(node.orelse, nesting)
        return 1 + nesting + without_else + orelse(node, nesting)
    if isinstance(node, (ast.Try, ast.TryStar)):
        return below(node, nesting) - suite(node.orelse, nesting) + orelse(node, nesting)
    if isinstance(node, ast.ExceptHandler):
        return 1 + nesting + below(node, nesting, {"body"})
    if isinstance(node, ast.match_case):
        return below(node, nesting, {"body"})
    if isinstance(node, ast.IfExp):
        return 1 + nesting + below(node, nesting + 1)
    if isinstance(node, ast.Lambda):
        return below(node, nesting + 1)
    if isinstance(node, FUNCTIONS):
        return function_cost(node, nesting + 1)
    if isinstance(node, ast.BoolOp):
        operators, operands = operations(node)
        return len(list(groupby(operators))) + sum(cost(operand, nesting) for operand in operands)
    return below(node, nesting)


NESTING = (ast.If, *LOOPS, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


def nesting(node):
    """How deep the deepest block at or below a node is."""
    if isinstance(node, ast.If) and is_elif(node.orelse):
        return max(1 + max(map(nesting, node.body)), nesting(node.orelse[0]))
    return isinstance(node, NESTING) + max(map(nesting, ast.iter_child_nodes(node)), default=0)


def callee(function):
    has_docstring = ast.get_docstring(function, clean=False) is not None
    body = [statement for statement in function.body[has_docstring:] if not isinstance(statement, ast.Pass)]
    if len(body) != 1 or not isinstance(body[0], (ast.Return, ast.Expr)):
        return None
    calls = [node for node in ast.walk(body[0]) if isinstance(node, ast.Call)]
    if len(calls) != 1:
        return None
    inner = calls[0].func
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return ast.unparse(calls[0].func) if isinstance(inner, ast.Name) else None


def trivial_wrappers(tree):
    functions = {node.name: node for node in tree.body if isinstance(node, FUNCTIONS)}
    found = [[function.lineno, name, callee(function)] for name, function in functions.items()]
    return sorted(wrapper for wrapper in found if wrapper[2] is not None)


def listed(node, of_class=False):
    for child in node.body:
        if isinstance(child, FUNCTIONS):
            yield child, of_class
            yield from listed(child)
        elif isinstance(child, ast.ClassDef):
            yield from listed(child, True)


def single_use(tree):
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    for function, of_class in listed(tree):
        start, end = (function.lineno, function.col_offset), (function.end_lineno, function.end_col_offset)
        outside = [
            name for name in calls if name.id == function.name and not start <= (name.lineno, name.col_offset) < end
        ]
        if not of_class and len(outside) <= 1:
            yield [function.lineno, function.name, len(outside)]


def values(text):
    global SOURCE
    SOURCE = text.split("\n")
    tree = ast.parse(text)
    return {
        "callables": sorted([f.lineno, f.name, function_cost(f, 0), nesting(f)] for f, _ in listed(tree)),
        "trivial_wrappers": trivial_wrappers(tree),
        "single_use": sorted(single_use(tree)),
    }


def analyzed(measurement):
    """What was measured of each file, in the form above."""
    found = {file["path"]: {"callables": [], "trivial_wrappers": [], "single_use": []} for file in measurement["files"]}
    columns = {
        "callables": ["start_line", "name", "cognitive", "nesting"],
        "trivial_wrappers": ["line", "name", "callee"],
        "single_use": ["line", "name", "calls"],
    }
    for key, names in columns.items():
        for entry in measurement[key]:
            found[entry["path"]][key].append([entry.get(name) for name in names])
    return found


def compare(root, measurement, seen):
    for path, ours in analyzed(measurement).items():
        try:
            text = decoded((root / path).read_bytes())
            theirs = values(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            yield f"{path}: must be refused: {error}"
            continue
        lines = {line for line, *_ in ours["callables"]}
        theirs["callables"] = [callable for callable in theirs["callables"] if callable[0] in lines]
        seen.update({"files": 1} | {key: len(theirs[key]) for key in theirs})
        for key in theirs:
            if theirs[key] != sorted(ours[key]):
                yield f"{path}: {key} is {ours[key]}, must be {theirs[key]}"


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    seen = Counter()
    measurement = json.loads(Path(sys.argv[2]).read_text())
    differences = list(compare(Path(sys.argv[1]), measurement, seen))
    print(*differences, f"{dict(seen)}: {len(differences)} differences", sep="\n")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
