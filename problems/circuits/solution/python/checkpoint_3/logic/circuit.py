"""From a netlist to the circuit that it describes, or to its errors."""

from logic.elaboration import Elaborator
from logic.errors import WRONG_NETLIST, CommandError, Problems
from logic.network import Network
from logic.numbers import NumberEvaluator
from logic.signals import Scope, Signal


class Circuit:
    def __init__(self, network, order, scope):
        self.network = network
        self.order = order  # all gates, each after those that feed it
        self.scope = scope


class Drive:
    """What drives a bit of a signal."""

    def __init__(self, position, instance, index, signal):
        self.position = position
        self.instance = instance
        self.index = index
        self.signal = signal

    @property
    def key(self):
        return self.position, self.instance, self.index


class Builder:
    def __init__(self, netlist):
        self.netlist = netlist
        self.problems = Problems()
        self.network = Network()
        self.modules = {}
        self.drives = {}  # by the gate of the driven bit

    def build(self):
        for module in self.netlist.modules:
            if module.name in self.modules:
                self.problems.add(module.position, "module", module.name)
            else:
                self.modules[module.name] = module
        main = Scope(self.netlist.main, "", None, NumberEvaluator({}, self.problems))
        self.build_scopes(main)
        order = self.order()
        if self.problems.found:
            raise CommandError(self.problems.lines(), WRONG_NETLIST)
        return Circuit(self.network, order, main)

    def build_scopes(self, main):
        """Builds each instance before those within it, and these in the order in which they stand."""
        ScopeBuilder(self, main).declare()
        pending, number = [main], 0
        while pending:
            scope = pending.pop()
            ScopeBuilder(self, scope, number).build()
            number += 1
            pending.extend(reversed([inner for inner in scope.instances.values() if inner]))

    def order(self):
        """All gates in the order of evaluation; reports what has none."""
        order, cycles = [], []
        for group in self.network.groups():
            order.extend(group)
            if len(group) > 1 or group[0] in self.network.inputs[group[0]]:
                drives = (self.drives[gate] for gate in group if gate in self.drives)
                cycles.append(sorted(drives, key=lambda drive: drive.key))
        for rank, cycle in enumerate(sorted(cycles, key=lambda drives: drives[0].key)):
            names = (drive.signal.bit_name(drive.index) for drive in cycle)
            self.problems.add(cycle[0].position, "cycle", *names, rank=rank)
        return order


class ScopeBuilder:
    """Builds one instance."""

    def __init__(self, builder, scope, number=0):
        self.builder = builder
        self.problems = builder.problems
        self.network = builder.network
        self.scope = scope
        self.module = scope.module
        self.number = number
        self.elaborator = Elaborator(self.network, scope, self.problems)

    def declare(self):
        """Declares the signals that can be seen from outside, and all others."""
        for parameter in self.repeated_parameters():
            self.problems.add(parameter.position, "declared", parameter.name)
        for declaration in self.module.declarations:
            if declaration.name in self.scope.signals:
                self.problems.add(declaration.position, "declared", declaration.name)
            else:
                width = 1 if declaration.width is None else self.scope.numbers.size(declaration.width)
                self.add_signal(declaration.name, declaration.kind, width)

    def repeated_parameters(self):
        seen = set()
        for parameter in self.module.parameters:
            if parameter.name in seen:
                yield parameter
            seen.add(parameter.name)

    def add_signal(self, name, kind, width):
        gate = "input" if kind == "input" and self.scope.parent is None else "wire"
        bits = None if width is None else [self.network.add(gate) for _ in range(width)]
        self.scope.signals[name] = Signal(self.scope.path + name, kind, bits)

    def build(self):
        for instance in self.module.instances:
            self.add_instance(instance)
        for assignment in self.module.assignments:
            if assignment.name not in self.scope.signals and assignment.name not in self.scope.instances:
                self.add_signal(assignment.name, "wire", 1)
        for instance in self.module.instances:
            self.connect(instance)
        for assignment in self.module.assignments:
            self.assign(assignment)
        self.report_undriven()

    def add_instance(self, instance):
        name = instance.name
        if name in self.scope.signals or name in self.scope.instances:
            self.problems.add(instance.position, "declared", name)
            return
        numbers = [self.scope.numbers.value(number) for number in instance.numbers]
        module = self.builder.modules.get(instance.module)
        self.scope.instances[name] = None
        if module is None:
            self.problems.add(instance.module_position, "unknown", instance.module)
            return
        least, most = module.fitting_numbers()
        if not least <= len(numbers) <= most:
            wanted = least if len(numbers) < least else most
            self.problems.add(instance.module_position, "parameters", len(numbers), wanted)
        elif self.scope.is_within(module):
            self.problems.add(instance.module_position, "recursive", module.name)
        elif evaluator := self.parameters(module, numbers):
            inner = Scope(module, f"{self.scope.path}{name}.", self.scope, evaluator)
            inner.statement = instance
            self.scope.instances[name] = inner
            ScopeBuilder(self.builder, inner).declare()

    def parameters(self, module, numbers):
        """The evaluator of numbers for a module's parameters, of which the first are given; None if one has no value."""
        values = {}
        evaluator = NumberEvaluator(values, self.problems)
        missing = False
        for place, parameter in enumerate(module.parameters):
            value = numbers[place] if place < len(numbers) else evaluator.value(parameter.default)
            missing = missing or value is None
            values.setdefault(parameter.name, value)
        return None if missing else evaluator

    def connect(self, instance):
        """Drives the inputs of an instance."""
        inner = self.scope.instances.get(instance.name)
        words = [self.elaborator.word(connection.steps) for connection in instance.connections]
        if inner is None or inner.statement is not instance:
            return
        connected = set()
        for connection, word in zip(instance.connections, words):
            port = inner.signals.get(connection.port)
            if port is None or port.kind != "input" or connection.port in connected:
                self.problems.add(connection.position, "port", connection.port)
                continue
            connected.add(connection.port)
            if port.bits is not None:
                self.drive(port, range(len(port.bits)), word, connection)
        for name, port in inner.signals.items():
            if port.kind == "input" and name not in connected:
                self.problems.add(instance.position, "open", name)

    def assign(self, assignment):
        word = self.elaborator.word(assignment.steps)
        signal = self.scope.signals.get(assignment.name)
        if signal is None or signal.kind == "input":
            self.problems.add(assignment.position, "input", assignment.name)
            return
        target = self.target(assignment, signal)
        if target is None:
            return
        free = signal.driven.isdisjoint(target)
        if not free:
            self.problems.add(assignment.position, "assigned", assignment.name)
        self.drive(signal, target, word, assignment, free)

    def target(self, assignment, signal):
        """The indices of the bits to which an expression is assigned, or None where they are not there."""
        if assignment.part is None:
            return None if signal.bits is None else range(len(signal.bits))
        part = self.scope.numbers.slice(assignment.part)
        if part is None or signal.bits is None:
            return None
        if not part.fits(len(signal.bits)):
            self.problems.add(assignment.part.position, "range", part, len(signal.bits))
            return None
        return range(part.low, part.high + 1)

    def drive(self, signal, target, word, statement, counts=True):
        """Drives bits of a signal by a word of this width, or by all that is mentioned if there is none."""
        if word is not None and len(word) != len(target):
            self.problems.add(statement.position, "width", len(target), len(word))
            word = None
        if not counts:
            return
        if word is None:
            word = [self.network.add("or", *self.elaborator.mentioned(statement.steps))] * len(target)
        signal.driven.update(target)
        for index, source in zip(target, word):
            self.network.connect(signal.bits[index], source)
            self.builder.drives[signal.bits[index]] = Drive(statement.position, self.number, index, signal)

    def report_undriven(self):
        reported = set()
        for declaration in self.module.declarations:
            signal = self.scope.signals[declaration.name]
            if signal.kind == "input" or signal.bits is None or declaration.name in reported:
                continue
            if len(signal.driven) < len(signal.bits):
                reported.add(declaration.name)
                self.problems.add(declaration.position, "undriven", declaration.name)
