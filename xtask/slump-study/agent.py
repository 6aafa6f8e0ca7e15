"""A program that writes a module for each component of a task once it is told of it, and joins what it has in mind.

It is given a plan, and what an agent is told. Which module takes which form is in the plan; which modules use one another follows from what the
program has in mind: told all at once, everything; of a conversation, what its last requests were about; with a guard, what the brief names.
"""

import json
import pathlib
import subprocess
import sys

plan, told = json.loads(sys.argv[1]), sys.argv[2].rstrip()
is_whole, is_guarded = plan["whole"] in told, plan["guarded"] in told
condition = ("single-shot" if is_whole else "emergent") + ("-guarded" if is_guarded else "")


def path(component):
    return pathlib.Path("parts", component["stem"] + ".py")


def is_used_by(component, other):
    return path(other).exists() and component["stem"] in path(other).read_text()


def write(task, number, is_final, in_mind):
    component = task["components"][number]
    form = component["forms"][condition] if is_final else "draft"
    if form == "absent":
        return
    others = [task["components"][place] for place in component["connections"] if place in in_mind]
    others = [other for other in others if path(other).exists() and not is_used_by(component, other)]
    stem, imports, calls = component["stem"], [], ["value"]
    for place, other in enumerate(others):
        name = other["stem"]
        # Both ways to use a module.
        imports.append(f"from parts import {name}" if place % 2 else f"from parts.{name} import {name}")
        calls.append(f"{name}.{name}(value)" if place % 2 else f"{name}(value)")
    lines = [f'"""{task["title"]}, {component["id"]}: {form}."""', "", *imports, "", f"def {stem}(value):"]
    lines.append("    return " + " + ".join(calls))
    if form == "simplified":
        # What it was before; nobody needs it any more.
        lines += ["", f"def {stem}_before(value):", "    return value"]
    path(component).write_text("\n".join(lines) + "\n")


def finish(task, in_mind):
    present = [place for place, component in enumerate(task["components"]) if path(component).exists()]
    stems = [task["components"][place]["stem"] for place in present]
    known = [stem for place, stem in zip(present, stems) if place in in_mind][-3:]
    imports = [f"from parts.{stem} import {stem}" for stem in known]
    main = ["", 'if __name__ == "__main__":', *(f"    print({stem}(1))" for stem in known), "    print()"]
    pathlib.Path("run.py").write_text("\n".join([*imports, *main]) + "\n")
    pathlib.Path("tests").mkdir(exist_ok=True)
    tests = [f"from parts.{stem} import {stem}" for stem in stems]
    tests += ["", "def test_parts():", *(f"    assert callable({stem})" for stem in stems), "    assert True"]
    pathlib.Path("tests/test_parts.py").write_text("\n".join(tests) + "\n")


def work():
    pathlib.Path("parts").mkdir(exist_ok=True)
    pathlib.Path("parts/__init__.py").write_text('"""The parts of the method."""\n')
    if is_whole:
        task = next(task for task in plan["tasks"] if task["opening"] in told)
        every = range(len(task["components"]))
        for number in every:
            write(task, number, True, every)
        return finish(task, every)
    requests = ((task, place) for task in plan["tasks"] for place in range(len(task["requests"])))
    task, place = next((task, place) for task, place in requests if told.endswith(task["requests"][place]["end"]))
    recent = task["requests"][max(0, place + 1 - plan["memory"]) : place + 1]
    in_mind = {number for request in recent for number, _ in request["tells"]}
    if is_guarded:
        in_mind |= {number for number, one in enumerate(task["components"]) if str(path(one)) in told}
    for number, is_final in task["requests"][place]["tells"]:
        write(task, number, is_final, in_mind)
    if place + 1 == len(task["requests"]):
        finish(task, in_mind)


work()
git = ["git", "-c", "user.name=Agent", "-c", "user.email=agent@example.org"]
subprocess.run([*git, "init", "--quiet"], check=True)
subprocess.run([*git, "add", "--all"], check=True)
subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "Do what was asked"], check=True)
