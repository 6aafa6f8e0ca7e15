"""From a netlist to the circuit that it describes, or to its errors."""

from logic.elaboration import Elaborator
from logic.errors import WRONG_NETLIST, CommandError, Problems
from logic.network import Network


class Signal:
    def __init__(self, name, kind, bits):
        self.name = name
        self.kind = kind
        self.bits = bits  # gates, the lowest bit first
        self.driven = set()  # indices of bits

    def bit_name(self, index):
        return self.name if len(self.bits) == 1 else f"{self.name}[{index}]"


class Circuit:
    def __init__(self, network, order, signals):
        self.network = network
        self.order = order  # all gates, each after those that feed it
        self.signals = signals

    def of_kind(self, kind):
        return [signal for signal in self.signals.values() if signal.kind == kind]


class Builder:
    def __init__(self, netlist):
        self.netlist = netlist
        self.problems = Problems()
        self.network = Network()
        self.signals = {}
        self.elaborator = Elaborator(self.network, self.signals, self.problems)
        self.drives = {}  # gate of a driven bit: (place of its assignment, index, signal)

    def build(self):
        self.declare()
        for assignment in self.netlist.assignments:
            if assignment.name not in self.signals:
                self.add_signal(assignment.name, "wire", 1)
        for place, assignment in enumerate(self.netlist.assignments):
            self.assign(place, assignment)
        self.report_undriven()
        order = self.order()
        if self.problems.found:
            raise CommandError(self.problems.lines(), WRONG_NETLIST)
        return Circuit(self.network, order, self.signals)

    def declare(self):
        for declaration in self.netlist.declarations:
            if declaration.name in self.signals:
                self.problems.add(declaration.position, "declared", declaration.name)
            else:
                self.add_signal(declaration.name, declaration.kind, declaration.width)

    def add_signal(self, name, kind, width):
        gate = "input" if kind == "input" else "wire"
        self.signals[name] = Signal(name, kind, [self.network.add(gate) for _ in range(width)])

    def assign(self, place, assignment):
        word = self.elaborator.word(assignment.steps)
        signal = self.signals[assignment.name]
        target = self.target(assignment, signal)
        if target is None:
            return
        if word is not None and len(word) != len(target):
            self.problems.add(assignment.position, "width", len(target), len(word))
            word = None
        if word is None:
            word = [self.network.add("or", *self.elaborator.mentioned(assignment.steps))] * len(target)
        if signal.kind != "input" and signal.driven.isdisjoint(target):
            signal.driven.update(target)
            for index, source in zip(target, word):
                self.network.connect(signal.bits[index], source)
                self.drives[signal.bits[index]] = (place, index, signal)

    def target(self, assignment, signal):
        """The indices of the bits to which an expression is assigned, or None where they are not there."""
        part, width = assignment.part, len(signal.bits)
        if signal.kind == "input":
            self.problems.add(assignment.position, "input", signal.name)
        elif part and not part.fits(width):
            self.problems.add(part.position, "range", part, width)
        else:
            target = range(part.low, part.high + 1) if part else range(width)
            if not signal.driven.isdisjoint(target):
                self.problems.add(assignment.position, "assigned", signal.name)
            return target
        return None

    def report_undriven(self):
        reported = set()
        for declaration in self.netlist.declarations:
            signal = self.signals[declaration.name]
            if signal.kind != "input" and len(signal.driven) < len(signal.bits) and signal.name not in reported:
                reported.add(signal.name)
                self.problems.add(declaration.position, "undriven", signal.name)

    def order(self):
        """All gates in the order of evaluation; reports what has none."""
        order, cycles = [], []
        for group in self.network.groups():
            order.extend(group)
            if len(group) > 1 or group[0] in self.network.inputs[group[0]]:
                drives = (self.drives[gate] for gate in group if gate in self.drives)
                cycles.append(sorted(drives, key=lambda drive: drive[:2]))
        for cycle in sorted(cycles, key=lambda drives: drives[0][:2]):
            self.report_cycle(cycle)
        return order

    def report_cycle(self, drives):
        first = self.netlist.assignments[drives[0][0]]
        self.problems.add(first.position, "cycle", *(signal.bit_name(index) for _, index, signal in drives))
