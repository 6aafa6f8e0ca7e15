"""Runs each rule's bad and good example in the fixture's own program, and compares what can be seen of both.

Input: a JSON list of {rule, bad, good, program, aside, unreached}. Output: a JSON list of {rule, problem}, empty if all behave alike.

A program holds `...` as a statement where the example goes. Its own bare expressions are shown, exceptions of both are
caught and shown, and after the example so are its variables, those of one example alone and those in `aside` left out.
A name that nobody defines is a function that notes its call and returns None. Every line of both examples has to run but for the lines `unreached` of the bad one, which must not.
"""

import __future__
import ast
import builtins
import contextlib
import io
import json
import sys
import types

PLAIN = (type(None), bool, int, float, complex, str, bytes, range)

# The example's lines are moved behind all others, so that they can be told apart.
SHIFT = 10_000

FLAGS = __future__.annotations.compiler_flag


def shown(value, depth=0):
    """A text for what a value is, the same in both examples; None for what holds no data."""
    if isinstance(value, type) or callable(value) or isinstance(value, (types.ModuleType, types.GeneratorType)) or depth > 9:
        return None
    name = type(value).__name__
    if isinstance(value, PLAIN):
        return f"{name} {value!r}"
    if isinstance(value, dict):
        return f"{name} {[(shown(k, depth + 1), shown(v, depth + 1)) for k, v in value.items()]}"
    if isinstance(value, (list, tuple)):
        return f"{name} {[shown(one, depth + 1) for one in value]}"
    if isinstance(value, (set, frozenset)):
        return f"{name} {sorted(str(shown(one, depth + 1)) for one in value)}"
    if isinstance(value, BaseException):
        # The interpreter's own words for what does not fit depend on the order of operations.
        args = () if isinstance(value, TypeError) else value.args
        return f"{name} {[shown(one, depth + 1) for one in args]}"
    return f"{name} {shown(getattr(value, '__dict__', {}), depth + 1)}"


class Seen:
    """What one example did."""

    def __init__(self):
        self.events = []

    def note(self, kind, what):
        self.events.append((kind, what))

    def variables(self, names):
        data = {name: shown(value) for name, value in names.items() if not name.startswith("__")}
        self.note("variables", {name: text for name, text in data.items() if text is not None})

    @contextlib.contextmanager
    def watched(self):
        try:
            yield
        except Exception as error:
            self.note("raised", shown(error))


class Splice(ast.NodeTransformer):
    """Puts the example into the program and watches both."""

    def __init__(self, example):
        self.example = example
        self.places = 0

    def watch(self, body):
        call = ast.parse("__seen__.watched()", mode="eval").body
        return ast.With(items=[ast.withitem(context_expr=call)], body=body)

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant) and node.value.value is ...:
            self.places += 1
            body = [ast.increment_lineno(statement, SHIFT) for statement in ast.parse(self.example).body]
            return [self.watch(body), ast.parse("__seen__.variables(locals())").body[0]]
        show = ast.parse("__seen__.note('value', __shown__(0))").body[0]
        show.value.args[1].args[0] = node.value
        return self.watch([show])


def undefined(trees):
    """Names that are loaded and bound nowhere."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
    bound |= {node.name for node in nodes if isinstance(node, ast.ExceptHandler)}
    bound |= {(alias.asname or alias.name).split(".")[0] for node in nodes for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)}
    return {node.id for node in names} - bound - set(dir(builtins)) - {"__seen__", "__shown__"}


def statement_lines(example):
    """The first lines of statements that do something when run."""
    silent = (ast.Pass, ast.Global, ast.Nonlocal, ast.Continue, ast.Break)
    nodes = [node for node in ast.walk(ast.parse(example)) if isinstance(node, ast.stmt) and not isinstance(node, silent)]
    is_text = lambda node: isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return {node.lineno for node in nodes if not is_text(node)}


def play(example, program, others):
    """What an example did, and what of it did not run."""
    tree = ast.parse(program)
    splice = Splice(example)
    free = undefined([tree, ast.parse(example), ast.parse(others)])
    tree = ast.fix_missing_locations(splice.visit(tree))
    if splice.places == 0:
        raise ValueError("the program has no `...` for the example")
    seen, ran = Seen(), set()

    def stub(name):
        def called(*args, **kwargs):
            seen.note("call", f"{name} {shown(args)} {shown(kwargs)}")
        return called

    def trace(frame, event, _):
        if event == "line":
            ran.add(frame.f_lineno - SHIFT)
        return trace

    space = {"__name__": "example", "__seen__": seen, "__shown__": shown, "thing": types.SimpleNamespace}
    space.update({name: stub(name) for name in free - {"thing"}})
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        sys.settrace(trace)
        try:
            exec(compile(tree, "<program>", "exec", flags=FLAGS, dont_inherit=True), space)
        finally:
            sys.settrace(None)
    missing = statement_lines(example) - ran
    return seen.events, output.getvalue(), sorted(missing)


def common(bad, good, aside):
    """Both lists of events, with the variables that both have."""
    pairs = list(zip(bad, good))
    for (kind, these), (other, those) in pairs:
        if kind == other == "variables":
            for name in (these.keys() ^ those.keys()) | set(aside):
                these.pop(name, None)
                those.pop(name, None)
    return bad, good


def problem(bad, good, program, aside, unreached):
    bad_events, bad_output, bad_missing = play(bad, program, good)
    good_events, good_output, good_missing = play(good, program, bad)
    bad_events, good_events = common(bad_events, good_events, aside)
    if bad_output != good_output:
        return f"prints {bad_output!r} and {good_output!r}"
    if bad_events != good_events:
        first = next(((a, b) for a, b in zip(bad_events, good_events) if a != b), (bad_events[len(good_events):], good_events[len(bad_events):]))
        return f"bad: {first[0]}; good: {first[1]}"
    if bad_missing != unreached or good_missing:
        return f"no input reaches line {bad_missing} of the bad and {good_missing} of the good example"
    return None


def main():
    found = []
    for one in json.load(sys.stdin):
        try:
            wrong = problem(one["bad"], one["good"], one["program"], one["aside"], one["unreached"])
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            found.append({"rule": one["rule"], "problem": wrong})
    json.dump(found, sys.stdout)


main()
