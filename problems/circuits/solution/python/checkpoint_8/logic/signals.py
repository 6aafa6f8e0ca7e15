"""Signals, and the instances of modules in which they stand."""


class Signal:
    def __init__(self, name, kind, bits):
        self.name = name  # with the path of its instance
        self.kind = kind
        self.bits = bits  # gates, the lowest bit first; None where an error leaves it without a width
        self.driven = set()  # indices of bits

    def bit_name(self, index):
        return self.name if len(self.bits) == 1 else f"{self.name}[{index}]"


UNKNOWN = Signal("", "output", None)


class Scope:
    """An instance of a module, or the circuit itself."""

    def __init__(self, module, path, parent, numbers):
        self.module = module
        self.statement = None  # the Instance, but for the circuit itself
        self.path = path  # with a point at its end, unless it is empty
        self.parent = parent
        self.numbers = numbers
        self.signals = {}
        self.instances = {}  # None for those that cannot be

    def is_within(self, module):
        scope = self
        while scope is not None and scope.module is not module:
            scope = scope.parent
        return scope is not None

    def of_kind(self, kind):
        return [signal for signal in self.signals.values() if signal.kind == kind]

    def find(self, name):
        """The signal that an expression means by a name, or None."""
        instance, point, output = name.partition(".")
        if not point:
            return self.signals.get(name)
        if instance not in self.instances:
            return None
        if self.instances[instance] is None:
            return UNKNOWN
        signal = self.instances[instance].signals.get(output)
        return signal if signal and signal.kind == "output" else None

    def at(self, path):
        """The signal at a path through instances, or None."""
        *instances, name = path.split(".")
        scope = self
        for instance in instances:
            scope = scope.instances.get(instance)
            if scope is None:
                return None
        return scope.signals.get(name)
