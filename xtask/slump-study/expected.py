"""What the tables of the whole study have to say, by the standard library alone: TABLE TASKS RUN NAME...

Faithfulness follows from the authored table and from how many components the tasks have, integration and sizes of guards' states from the files that
sessions left, disclosure from the tasks' requests. No score of slopbench's is read. All is computed in fractions, and every assignment of signs is
counted for Wilcoxon's test.
"""

import ast
import itertools
import json
import pathlib
import sys
import tomllib
from fractions import Fraction

CONDITIONS = ["emergent", "single-shot", "emergent-guarded", "single-shot-guarded"]
MEASURES = ["MCF", "DIR", "IF50"]
PLATFORM = "command"


def read(path):
    return tomllib.loads(path.read_text())


def mean(values):
    return sum(values, Fraction()) / len(values)


# What a session left.


def last(unit, stage, file):
    return json.loads((sorted(unit.glob(f"{stage}_*"))[-1] / file).read_text())


def is_main_guard(node):
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test)


def defined(tree):
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def taken(tree, modules):
    """Pairs of a module and its symbol that a file takes: by name, or as an attribute of the module."""
    pairs, known = set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                pairs.add((node.module, alias.name))
                if f"{node.module}.{alias.name}" in modules:
                    known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
            pairs.add((known[node.value.id], node.attr))
    return pairs


def integration(folder):
    files = {path.relative_to(folder): ast.parse(path.read_text()) for path in sorted(folder.rglob("*.py"))}
    files = {path: tree for path, tree in files.items() if path.parts[0] != "tests"}
    module = {path: ".".join(path.with_suffix("").parts) for path in files}
    alone = {
        path for path, tree in files.items() if path.name != "__init__.py" and not any(map(is_main_guard, tree.body))
    }
    symbols = {(module[path], name) for path in alone for name in defined(files[path])}
    names = {module[path] for path in alone}
    used = {
        pair for path, tree in files.items() for pair in taken(tree, names) if pair[0] != module[path] and pair in symbols
    }
    return Fraction(len(used), len(symbols)) if symbols else Fraction()


def state_kilobytes(folder):
    records = [path for kind in ("design", "decision", "resource") for path in (folder / kind).glob("*.md")]
    files = [*records, folder / "edges.csv", folder / "structure.jsonl"]
    return sum(path.stat().st_size for path in files if path.exists()) / 1000


# The tables.


def sessions(left, tasks, run, names):
    """By task and condition: the measures, how many components are faithful, severe and not judged, and the size of the guard's state."""
    found = {}
    for name, condition in itertools.product(names, CONDITIONS):
        components = len(read(tasks / name / "components.toml")["component"])
        faithful, equivalent, simplified, wrong, unclear = left[name][condition]
        points = 4 * faithful + 3 * equivalent + 2 * simplified + wrong
        mcf = Fraction(points, components - unclear)
        unit = run / "units" / f"{name}--{condition}--{PLATFORM}--1"
        dir_ = integration(run / "trees" / last(unit, "request", "session.json")["workspace"])
        severe = components - unclear - faithful - equivalent - simplified
        is_guarded = condition.endswith("-guarded")
        state = run / "trees" / last(unit, "update", "update.json")["state"] if is_guarded else None
        found[name, condition] = {
            "MCF": mcf,
            "DIR": dir_,
            "IF50": mcf / 8 + dir_ / 2,
            "counts": (faithful, severe, unclear),
            "state_kb": state_kilobytes(state) if state else None,
        }
    return found


def components(left, tasks, names):
    for name, condition in itertools.product(names, CONDITIONS):
        scores = [score for score, count in zip([4, 3, 2, 1, None], left[name][condition]) for _ in range(count)]
        ids = [one["id"] for one in read(tasks / name / "components.toml")["component"]]
        for one, score in itertools.zip_longest(ids, scores, fillvalue=0):
            yield {"session": f"{name}--{condition}--{PLATFORM}--1", "component": one, "score": score}


def table_3(found, names):
    for condition in CONDITIONS:
        rows = [found[name, condition] for name in names]
        means = {measure.lower(): mean([row[measure] for row in rows]) for measure in MEASURES}
        faithful, severe, unclear = map(sum, zip(*(row["counts"] for row in rows)))
        yield {
            "platform": PLATFORM, "condition": condition, "tasks": len(rows), **means,
            "faithful": faithful, "severe": severe, "not_judged": unclear,
        }  # fmt: skip


def wilcoxon(differences):
    """Two-sided and exact, without zeros: ties have the mean of their ranks."""
    sizes = sorted(abs(one) for one in differences if one)
    if not sizes:
        return 1
    rank = {size: mean([Fraction(place) for place, one in enumerate(sizes, 1) if one == size]) for size in sizes}
    ranks = [rank[size] for size in sizes]
    below = sum((rank[-one] for one in differences if one < 0), Fraction())
    least = min(below, sum(ranks) - below)
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product([0, 1], repeat=len(ranks))]
    return min(Fraction(1), Fraction(2 * sum(one <= least for one in sums), len(sums)))


def losses(found, names):
    for measure in MEASURES:
        gaps = [found[name, "single-shot"][measure] - found[name, "emergent"][measure] for name in names]
        yield {
            "platform": PLATFORM, "measure": measure, "tasks": len(gaps), "loss": mean(gaps), "wins": sum(gap > 0 for gap in gaps),
            "ties": gaps.count(0), "losses": sum(gap < 0 for gap in gaps), "p": wilcoxon(gaps),
        }  # fmt: skip


def table_6(found, names):
    for name in names:
        emergent, at_once, guarded = (found[name, condition] for condition in CONDITIONS[:3])
        recovered = {}
        for measure in ("MCF", "IF50"):
            gap = at_once[measure] - emergent[measure]
            recovered[f"{measure.lower()}_recovery"] = (guarded[measure] - emergent[measure]) / gap if gap else None
        change = (guarded["DIR"] - emergent["DIR"]) / emergent["DIR"] if emergent["DIR"] else None
        yield {
            "platform": PLATFORM, "task": name, **recovered, "dir_change": change, "state_kb": guarded["state_kb"],
            # A program tells of none.
            "compactions": None,
        }  # fmt: skip


def figure_2(found, names):
    for measure, name in itertools.product(MEASURES, names):
        emergent, at_once = (found[name, condition][measure] for condition in CONDITIONS[:2])
        yield {"platform": PLATFORM, "measure": measure, "task": name, "emergent": emergent, "single_shot": at_once}


def disclosed(tasks, name):
    """After each request, the shares of components that are stated, and that can be recovered."""
    ids = [one["id"] for one in read(tasks / name / "components.toml")["component"]]
    level = dict.fromkeys(ids, 0)
    for number, request in enumerate(read(tasks / name / "requests.toml")["request"], 1):
        for one, reveals in request["reveals"].items():
            level[one] = max(level[one], reveals)
        shares = [Fraction(sum(level[one] >= least for one in ids), len(ids)) for least in (4, 1)]
        yield number, *shares


def figure_1(tasks, names):
    for name in names:
        for request, explicit, recoverable in disclosed(tasks, name):
            yield {"task": name, "by": "author", "request": request, "explicit": explicit, "recoverable": recoverable}


def table_5(tasks, names):
    for name in names:
        requests, esr, rcr = list(disclosed(tasks, name))[-1]
        components, versions = (len(read(tasks / name / f"{what}s.toml")[what]) for what in ("component", "version"))
        yield {
            "task": name, "components": components, "versions": versions, "requests": requests, "by": "author",
            "rcr": rcr, "esr": esr,
        }  # fmt: skip


def main():
    table, tasks, run, names = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    left = read(pathlib.Path(table))
    found = sessions(left, tasks, run, names)
    tables = {
        "components": components(left, tasks, names),
        "slump-figure-1": figure_1(tasks, names),
        "slump-figure-2": figure_2(found, names),
        "slump-table-3": table_3(found, names),
        "slump-losses": losses(found, names),
        "slump-table-5": table_5(tasks, names),
        "slump-table-6": table_6(found, names),
    }
    json.dump({name: list(rows) for name, rows in tables.items()}, sys.stdout, default=float, indent=1)


main()
