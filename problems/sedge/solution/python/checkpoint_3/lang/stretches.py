"""Stretches of code that are executed often, as functions of the host.

A stretch begins at one instruction, its head, and goes on until control is given away: by a call,
by a return, or by a jump that leads out of it. Loops and conditions inside are those of the host.
What instructions would leave on the frame's stack are variables of the host, the operands, until
the stack is looked at.
"""

from itertools import count

from lang.errors import Failure
from lang.operations import jump
from lang.templates import TEMPLATES

OFTEN = 40
# Beyond these, a stretch ends: the host takes no functions of any size, or nested in any depth.
MOST_NESTED = 12
MOST_INSTRUCTIONS = 400
FILE = "<stretch>"
PROLOGUE = ("def stretch(machine, frame, _):", " slots = frame.slots", " stack = frame.stack")


class Head:
    """The instruction at which a stretch begins, and how often it has been executed."""

    __slots__ = ("operation", "argument", "times")

    def __init__(self, operation, argument):
        self.operation = operation
        self.argument = argument
        self.times = 0


def mark(code, index):
    """Makes an instruction a head, so that its stretch is translated once it is executed often."""
    operation, argument = code.instructions[index]
    if type(argument) is not Head:
        code.instructions[index] = (warm_up, Head(operation, argument))


def warm_up(machine, frame, head):
    """Executes the head as it was; translates its stretch when that has happened often."""
    head.times += 1
    if head.times == OFTEN:
        index = frame.counter - 1
        frame.code.instructions[index] = (Stretch(frame.code, index).translated(), head)
    head.operation(machine, frame, head.argument)


def settle(failure):
    """Tells the frames in whose stretches something failed how far they had come."""
    trace = failure.__traceback__
    while trace:
        host = trace.tb_frame
        if host.f_code.co_filename == FILE:
            host.f_locals["frame"].counter = host.f_globals["COUNTERS"][trace.tb_lineno - 1]
        trace = trace.tb_next
    failure.__traceback__ = None


class Stretch:
    """The host's text of a stretch while it is written, and the place in the code.

    `counters` tell for each line what the frame's counter would be; `loops` where the loops that
    are open begin and end; `booleans` which operands are known to be some.
    """

    def __init__(self, code, start):
        self.code = code
        self.index = start
        self.written = 0
        self.lines = list(PROLOGUE)
        self.counters = [0] * len(PROLOGUE)
        self.depth = 1
        self.operands = []
        self.booleans = set()
        self.loops = []
        self.constants = {}
        self.numbers = count()

    def translated(self):
        end = len(self.code.instructions)
        if self.write_until(end):
            self.leave_for(end)
        names = {**self.constants, "COUNTERS": self.counters, "Failure": Failure}
        exec(compile("\n".join(self.lines), FILE, "exec"), names)
        return names["stretch"]

    def instruction(self, index):
        operation, argument = self.code.instructions[index]
        if type(argument) is Head:
            return argument.operation, argument.argument
        return operation, argument

    # Text.

    def line(self, text):
        self.lines.append(" " * self.depth + text)
        self.counters.append(self.index + 1)

    def lines_within(self, condition, *texts):
        self.line(f"{condition}:")
        self.depth += 1
        for text in texts:
            self.line(text)
        self.depth -= 1

    def name(self, letter):
        return f"{letter}{next(self.numbers)}"

    def constant(self, value):
        """What stands for a value in the text."""
        name = self.name("k")
        self.constants[name] = value
        return name

    # Operands.

    def push(self, operand):
        self.operands.append(operand)

    def push_result(self, text):
        result = self.name("v")
        self.line(f"{result} = {text}")
        self.push(result)
        return result

    def pop(self):
        """The topmost operand; if there is none, a value from the stack becomes one."""
        if not self.operands:
            self.push_result("stack.pop()")
        return self.operands.pop()

    def pop_many(self, number):
        return [self.pop() for _ in range(number)][::-1]

    def check_boolean(self, operand):
        if operand not in self.booleans:
            self.lines_within(f"if {operand} is not True and {operand} is not False", 'raise Failure("type")')
            self.booleans.add(operand)

    def spill(self):
        """Puts the operands on the stack; for what else is written, they stay what they are."""
        if self.operands:
            self.line(f"stack += ({', '.join(self.operands)},)")

    def spill_all(self):
        self.spill()
        self.operands.clear()

    # Ways out.

    def leave_for(self, target):
        """Goes to a place that need not belong to the stretch."""
        if self.loops and not self.operands and target in self.loops[-1]:
            self.line("continue" if target == self.loops[-1][0] else "break")
        else:
            self.exit(target)

    def exit(self, target):
        self.mark(target)
        self.spill()
        self.line(f"frame.counter = {target}")
        self.line("return")

    def give_away(self, call):
        """Ends with what moves control, which may come back to the next instruction."""
        self.mark(self.index + 1)
        self.spill()
        self.line(f"frame.counter = {self.index + 1}")
        self.line(f"return {call}")

    def mark(self, target):
        if target < len(self.code.instructions):
            mark(self.code, target)

    # Instructions.

    def write_until(self, end):
        """Writes what comes before a place; tells whether control comes there."""
        while self.index < end:
            if not self.write_next(end):
                self.index = end
                return False
        return True

    def write_next(self, end):
        """Writes the next instruction, with all that belongs to it; tells whether control goes on."""
        if self.is_full():
            self.exit(self.index)
            return False
        end_of_loop = self.code.loops.get(self.index)
        if end_of_loop and not any(self.index in loop for loop in self.loops):
            self.write_loop(end_of_loop)
            return True
        self.written += 1
        operation, argument = self.instruction(self.index)
        template = TEMPLATES.get(operation)
        if template is None:
            self.give_away(f"{self.constant(operation)}(machine, frame, {self.constant(argument)})")
            return False
        before = self.index
        goes_on = template(self, argument) is not False
        if self.index == before:
            self.index += 1
        return goes_on

    def is_full(self):
        return self.written >= MOST_INSTRUCTIONS or self.depth > MOST_NESTED

    def write_loop(self, end):
        operands = self.operands.copy()
        self.loops.append((self.index, end))
        self.line("while True:")
        self.depth += 1
        if self.write_until(end):
            self.line("break")
        self.depth -= 1
        self.loops.pop()
        self.operands = operands

    # Conditions.

    def choose(self, condition, target):
        """Goes on if a condition holds, else at the target."""
        otherwise = self.end_of_otherwise(target)
        if otherwise:
            return self.write_branches(condition, target, otherwise)
        self.line(f"if not {condition}:")
        self.depth += 1
        self.leave_for(target)
        self.depth -= 1
        return True

    def end_of_otherwise(self, target):
        """Where the branches of a condition meet, if they belong to an `if` that is not nested too deep."""
        if target <= self.index or self.depth >= MOST_NESTED:
            return None
        operation, meeting = self.instruction(target - 1)
        return meeting if operation is jump and meeting >= target else None

    def write_branches(self, condition, target, meeting):
        operands = self.operands.copy()
        self.line(f"if {condition}:")
        self.index += 1
        goes_on = self.write_branch(target - 1)
        self.line("else:")
        self.index = target
        self.operands = operands.copy()
        goes_on |= self.write_branch(meeting)
        self.operands = operands
        return goes_on

    def write_branch(self, end):
        self.depth += 1
        self.line("pass")
        goes_on = self.write_until(end)
        self.depth -= 1
        return goes_on

    def write_shortcut(self, denial, target):
        """The topmost operand is the result; if that is as told, what comes before the target tells it."""
        left = self.pop()
        self.check_boolean(left)
        result = self.push_result(left)
        self.booleans.add(result)
        operands = self.operands.copy()
        self.line(f"if {denial}{result}:")
        self.depth += 1
        self.index += 1
        if self.write_until(target):
            self.line(f"{result} = {self.pop()}")
        self.depth -= 1
        self.operands = operands
