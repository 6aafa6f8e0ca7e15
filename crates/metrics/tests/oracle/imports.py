#!/usr/bin/env python3
"""A second statement of the graph of imports: names are followed folder by folder, reach is found by walking.

    imports.py ROOT MEASUREMENT.json  compare what `slopbench measure --json ROOT` printed; name every difference

Needs nothing but CPython 3.12. `cargo xtask oracles` calls it.
"""

import ast
import json
import sys
import warnings
from pathlib import Path

from source import decoded


def is_package(folder):
    return (folder / "__init__.py").is_file()


def module(folder, dotted, files):
    """The measured file of a module below a folder, or None."""
    place = folder.joinpath(*filter(None, dotted.split(".")))
    for file in (place / "__init__.py", place.with_name(place.name + ".py")):
        if file in files:
            return file


def search_path(file, root):
    folder = file.parent
    while is_package(folder):
        folder = folder.parent
    top = root
    while is_package(top):
        top = top.parent
    while True:
        yield from (folder, folder / "src")
        if folder == top:
            return
        folder = folder.parent


def imported(file, root, files):
    """The measured files that a file imports."""
    text = decoded(file.read_bytes())
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield first(module(folder, alias.name, files) for folder in search_path(file, root))
        elif isinstance(node, ast.ImportFrom):
            folders = [file.parents[node.level - 1]] if node.level else list(search_path(file, root))
            inside = node.module or ""
            for alias in node.names:
                yield first(
                    module(folder, f"{inside}.{alias.name}", files) or module(folder, inside, files)
                    for folder in folders
                )


def first(found):
    return next(filter(None, found), None)


def reachable(edges, start):
    seen, open_ = {start}, [start]
    while open_:
        for to in edges[open_.pop()] - seen:
            seen.add(to)
            open_.append(to)
    return seen


def graph(root, measurement):
    files = {root / file["path"]: file["path"] for file in measurement["files"] if file["language"] == "python"}
    edges = {path: {files[to] for to in imported(file, root, files) if to} - {path} for file, path in files.items()}
    reach = {path: reachable(edges, path) for path in edges}
    cyclic = [path for path in edges if any(path in reach[to] for to in edges[path])]
    pairs = sum(map(len, reach.values()))
    return {
        "language": "python",
        "modules": len(files),
        "imports": sum(map(len, edges.values())),
        "cyclic_modules": len(cyclic),
        "cyclic_mass": len(cyclic) / len(files),
        "propagation_cost": pairs / len(files) ** 2,
        "edges": [{"from": path, "to": to} for path in sorted(edges) for to in sorted(edges[path])],
    }


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    measurement = json.loads(Path(sys.argv[2]).read_text())
    ours = next(graph for graph in measurement["dependencies"] if graph["language"] == "python")
    theirs = graph(Path(sys.argv[1]).resolve(), measurement)
    edges = [{tuple(edge.values()) for edge in graph["edges"]} for graph in (ours, theirs)]
    differences = [f"{from_} -> {to}" for from_, to in sorted(edges[0] ^ edges[1])]
    differences += [f"{key} is {ours[key]}, must be {theirs[key]}" for key in theirs if ours[key] != theirs[key]]
    print(*differences, f"{len(edges[1])} imports: {len(differences)} differences", sep="\n")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
