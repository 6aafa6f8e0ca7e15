"""From a netlist to the circuit that it describes, or to its errors."""

from logic.errors import WRONG_NETLIST, CommandError, Problems
from logic.functions import FUNCTIONS
from logic.network import Network

OPERATORS = {"&": "and", "|": "or", "^": "xor", "?": "mux"}


class Circuit:
    def __init__(self, network, order, inputs, outputs, signals):
        self.network = network
        self.order = order  # all gates, each after those that feed it
        self.inputs = inputs
        self.outputs = outputs
        self.signals = signals  # name: gate


class Builder:
    def __init__(self, netlist):
        self.netlist = netlist
        self.problems = Problems()
        self.network = Network()
        self.signals = {}
        self.inputs = []
        self.outputs = []

    def build(self):
        self.declare()
        driven = self.drivers()
        for assignment in self.netlist.assignments:
            gate = self.expression(assignment.steps)
            if driven.get(assignment.name) is assignment:
                self.network.connect(self.signals[assignment.name], gate)
        order = self.order(driven)
        if self.problems.found:
            raise CommandError(self.problems.lines(), WRONG_NETLIST)
        return Circuit(self.network, order, self.inputs, self.outputs, self.signals)

    def declare(self):
        for declaration in self.netlist.declarations:
            name = declaration.name
            if name in self.signals:
                self.problems.add(declaration.position, "declared", name)
            elif declaration.kind == "input":
                self.inputs.append(name)
                self.signals[name] = self.network.add("input")
            else:
                self.outputs.append(name)
                self.signals[name] = self.network.add("wire")

    def drivers(self):
        """The assignment of each signal that has one, with wires for those that are not declared."""
        driven = {}
        given = set(self.inputs)
        for assignment in self.netlist.assignments:
            name = assignment.name
            if name in given:
                self.problems.add(assignment.position, "input", name)
            elif name in driven:
                self.problems.add(assignment.position, "assigned", name)
            else:
                driven[name] = assignment
                if name not in self.signals:
                    self.signals[name] = self.network.add("wire")
        self.report_undriven(driven)
        return driven

    def report_undriven(self, driven):
        reported = set(driven) | set(self.inputs)
        for declaration in self.netlist.declarations:
            if declaration.kind == "output" and declaration.name not in reported:
                reported.add(declaration.name)
                self.problems.add(declaration.position, "undriven", declaration.name)

    def expression(self, steps):
        stack = []
        for step in steps:
            first = len(stack) - step.count
            values = stack[first:]
            del stack[first:]
            stack.append(self.step(step, values))
        return stack[0]

    def step(self, step, values):
        if step.operator == "constant":
            return self.network.add(step.text)
        if step.operator == "signal":
            return self.signal(step)
        if step.operator == "~":
            return self.network.add("not", *values)
        if step.operator in OPERATORS:
            return self.network.add(OPERATORS[step.operator], *values)
        return self.call(step, values)

    def signal(self, step):
        if step.text not in self.signals:
            self.problems.add(step.position, "undefined", step.text)
            return self.network.add("wire")
        return self.signals[step.text]

    def call(self, step, values):
        function = FUNCTIONS[step.operator]
        if not function.takes(step.count):
            self.problems.add(step.position, "arity", step.operator)
        gate = self.network.add(function.gate, *values)
        return self.network.add("not", gate) if function.negated else gate

    def order(self, driven):
        """All gates in the order of evaluation; reports what has none."""
        order = []
        names = {self.signals[name]: name for name in driven}
        places = {name: place for place, name in enumerate(driven)}
        for group in self.network.groups():
            order.extend(group)
            if len(group) > 1:
                cycle = sorted((names[gate] for gate in group if gate in names), key=places.get)
                self.problems.add(driven[cycle[0]].position, "cycle", *cycle)
            elif group[0] in self.network.inputs[group[0]]:
                name = names[group[0]]
                self.problems.add(driven[name].position, "cycle", name)
        return order
