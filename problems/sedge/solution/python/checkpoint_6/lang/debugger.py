"""Runs a program step by step, as commands say, forwards and backwards.

Execution is deterministic. So to go back is to run from an earlier state, without output, to the
stop that is wanted.
"""

from lang.debug_commands import Quit, read_command
from lang.history import History
from lang.machine import Fault, Machine
from lang.showing import shown_in_short
from lang.trace import name_of, walk


class Rewind(Exception):
    """The program has to be run again, from an earlier state."""


class Debugger:
    """`count` is the number of the stop where the program stands, or would stand at its end."""

    def __init__(self, sources, main_module, commands, output):
        self.sources = sources
        self.main_module = main_module
        self.commands = commands
        self.output = output
        self.breakpoints = set()
        self.count = 0
        self.stops = []
        self.ending = None
        self.machine = None
        self.frame = None
        self.history = History()
        self.target = 1
        self.goal = self.at_count(1)

    def run(self):
        """Answers commands until there are no more."""
        try:
            while True:
                self.run_once()
        except Quit:
            pass

    def run_once(self):
        self.ending = None
        self.begin_again()
        try:
            self.machine.run()
            self.ending = "end"
        except Fault as fault:
            self.ending = f"failed {fault.report.summary}"
        except Rewind:
            return
        self.count += 1
        self.reply(self.ending)
        try:
            while True:
                self.obey()
                self.reply(self.ending)
        except Rewind:
            pass

    def begin_again(self):
        """Goes to the latest state that is known of before the target, or to the beginning."""
        modules = self.sources.modules.values()
        snapshot = self.history.latest(self.target)
        self.count = 0
        slots = [None] * len(modules)
        if snapshot:
            self.count = snapshot.stop - 1
            slots, strand, frame = snapshot.restored()
        for module, own in zip(modules, slots):
            module.slots = own
        self.machine = Machine(self.main_module, self)
        if snapshot:
            self.main_module.slots = slots[0]
            self.machine.go_on(strand, frame)
        self.history.plan(self.count, self.target, 0)

    def keep(self, frame):
        """Keeps the state in which the instruction that stops is about to be executed."""
        slots = [module.slots for module in self.sources.modules.values()]
        frame.counter -= 1
        self.history.keep(self.count, (slots, self.machine.strand, frame), self.target)
        frame.counter += 1

    def reply(self, text):
        self.output.write(f"@ {text}\n")

    # Where the program stands.

    def stopped(self, frame, stop):
        """Called at each stop; returns when the program is to go on."""
        self.count += 1
        if self.count >= self.history.due:
            self.keep(frame)
        if self.count > len(self.stops):
            self.stops.append(stop)
        if self.goal(frame, stop):
            self.frame = frame
            self.output.is_muted = False
            self.reply(f"{self.count} {frame.place}")
            self.obey()

    def calls(self, frame):
        return self.machine.strand.calls + frame.depth

    def at_count(self, count):
        return lambda frame, stop: self.count == count

    # Commands. Those that move return true.

    def obey(self):
        """Obeys commands up to one that moves."""
        while not read_command(self):
            pass

    def go_back_to(self, count):
        self.head_for(count)
        self.output.is_muted = True
        raise Rewind

    def go_to(self, count):
        if count <= self.count and not (self.ending and count == self.count):
            self.go_back_to(count)
        self.head_for(count)
        return True

    def head_for(self, count):
        self.target = count
        self.goal = self.at_count(count)

    def step(self, times):
        return self.go_to(self.count + times)

    def back(self, times):
        if self.stops:
            self.go_back_to(max(1, self.count - times))
        return True

    def next(self):
        calls = self.calls(self.frame)
        self.goal = lambda frame, stop: self.calls(frame) <= calls
        return True

    def finish(self):
        calls = self.calls(self.frame)
        self.goal = lambda frame, stop: self.calls(frame) < calls
        return True

    def proceed(self):
        self.goal = lambda frame, stop: stop.line in self.breakpoints
        return True

    def reverse(self):
        """To the last stop at a breakpoint before this one, or to the first of all."""
        before = range(self.count - 1, 0, -1)
        hits = (count for count in before if self.stops[count - 1].line in self.breakpoints)
        return self.back(self.count - next(hits, 1))

    def set_breakpoint(self, line):
        self.breakpoints.add(line)
        self.reply("ok")

    def clear_breakpoint(self, line):
        self.breakpoints.discard(line)
        self.reply("ok")

    def stack(self):
        if self.ending:
            self.reply(self.ending)
            return
        frames = [self.frame, *(below for _, below, _ in walk(self.machine.strand, self.frame))]
        for frame in frames:
            self.reply(f"{name_of(frame)} at {frame.place}")

    def variables(self):
        if self.ending:
            self.reply(self.ending)
            return
        for name, slot in self.stops[self.count - 1].visible:
            self.reply(f"{name} = {shown_in_short(self.frame.slots[slot][0])}")
        self.reply("ok")
