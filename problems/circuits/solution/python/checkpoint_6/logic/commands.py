"""The command line."""

from logic.circuit import Builder
from logic.errors import WRONG_CALL, WRONG_NETLIST, CommandError, SyntaxProblem
from logic.options import Options
from logic.parser import Parser


def run(arguments, source, target):
    """Runs one command; returns the exit code."""
    try:
        lines, exit_code = dispatch(arguments, source)
    except CommandError as error:
        lines, exit_code = error.lines, error.exit_code
    target.write("".join(line + "\n" for line in lines).encode())
    target.flush()
    return exit_code


def dispatch(arguments, source):
    """Imports what only some commands need once it is needed, since many runs are short."""
    match arguments:
        case ["check", path]:
            load(path)
            return ["ok"], 0
        case ["eval", path, *words]:
            return answer_vectors(path, Options(words, ["--show"], ["--exact", "--loops"]), source)
        case ["table" | "count" as command, path, *words]:
            from logic.tables import count, table

            options = Options(words, ["--set", "--only"])
            return {"table": table, "count": count}[command](load(path), options), 0
        case ["equiv", first, second, *words]:
            from logic.equivalence import compare

            options = Options(words, ["--assume"], ["--refine"])
            return compare(load(first), load(second), options)
    raise CommandError(["error usage"], WRONG_CALL)


def answer_vectors(path, options, source):
    from logic.evaluation import evaluate

    circuit = load(path, options.has("--loops"))
    answers, fine = evaluate(circuit, options, source.read().decode(errors="replace"))
    return answers, 0 if fine else WRONG_NETLIST


def load(path, loops=False):
    """The circuit that a file describes, with cycles if that is wanted."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode()
    except (OSError, ValueError):
        raise CommandError([f"error file {path}"], WRONG_CALL) from None
    try:
        netlist = Parser(text).parse()
    except SyntaxProblem as problem:
        line, column = problem.position
        raise CommandError([f"{line}:{column} syntax"], WRONG_NETLIST) from None
    return Builder(netlist).build(loops)
