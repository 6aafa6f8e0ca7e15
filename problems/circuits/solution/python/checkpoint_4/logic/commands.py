"""The command line."""

from logic.circuit import Builder
from logic.errors import WRONG_CALL, WRONG_NETLIST, CommandError, SyntaxProblem
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
    match arguments:
        case ["check", path]:
            load(path)
            return ["ok"], 0
        case ["eval", path, *options]:
            return answer_vectors(path, EvalOptions(options), source)
    raise CommandError(["error usage"], WRONG_CALL)


class EvalOptions:
    """The options of `eval`, each at most once and in a fixed order."""

    def __init__(self, words):
        self.shown = []
        if words[:1] == ["--show"] and len(words) > 1:
            self.shown = words[1].split(",")
            words = words[2:]
        self.exact = words[:1] == ["--exact"]
        words = words[self.exact :]
        self.loops = words[:1] == ["--loops"]
        if words[self.loops :]:
            raise CommandError(["error usage"], WRONG_CALL)


def answer_vectors(path, options, source):
    from logic.evaluation import evaluate

    circuit = load(path, options.loops)
    answers, fine = evaluate(circuit, options.shown, options.exact, source.read().decode(errors="replace"))
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
