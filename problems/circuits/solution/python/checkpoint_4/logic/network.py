"""A circuit as a flat list of gates."""


class Network:
    """Gates with their inputs as indices; an input may come after the gate that it feeds."""

    def __init__(self):
        self.kinds = []
        self.inputs = []

    def add(self, kind, *inputs):
        """A new gate's index. Kinds: "0", "1", "x", "input", "wire", "not", "and", "or", "xor", "mux", "maj"."""
        self.kinds.append(kind)
        self.inputs.append(inputs)
        return len(self.kinds) - 1

    def add_all(self, kind, inputs):
        """The indices of new gates of one kind, with these inputs each."""
        first = len(self.inputs)
        self.inputs.extend(inputs)
        self.kinds.extend([kind] * (len(self.inputs) - first))
        return list(range(first, len(self.inputs)))

    def connect(self, wire, source):
        """Feeds a wire, which was added without an input."""
        self.inputs[wire] = (source,)

    def groups(self):
        """The strongly connected sets of gates, each after all sets that feed it."""
        return SccSearch(self.inputs).run()


class SccSearch:
    """Tarjan's algorithm with a stack of its own."""

    def __init__(self, inputs):
        self.inputs = inputs
        self.numbers = [0] * len(inputs)  # 0: not seen yet
        self.lowest = [0] * len(inputs)
        self.is_open = [False] * len(inputs)
        self.open = []
        self.counter = 0
        self.groups = []

    def run(self):
        self.close_fed()
        for gate in range(len(self.inputs)):
            if not self.numbers[gate]:
                self.visit(gate)
        return self.groups

    def close_fed(self):
        """Closes the gates that stand behind all that feed them: most do, and need no search."""
        numbers = self.numbers
        for gate, sources in enumerate(self.inputs):
            if all([numbers[source] for source in sources]):
                numbers[gate] = 1
                self.groups.append([gate])

    def enter(self, gate):
        self.counter += 1
        self.numbers[gate] = self.lowest[gate] = self.counter
        self.is_open[gate] = True
        self.open.append(gate)
        return gate, iter(self.inputs[gate])

    def visit(self, root):
        path = [self.enter(root)]
        while path:
            gate, rest = path[-1]
            for source in rest:
                if not self.numbers[source]:
                    path.append(self.enter(source))
                    break
                if self.is_open[source]:
                    self.lowest[gate] = min(self.lowest[gate], self.numbers[source])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    self.lowest[above] = min(self.lowest[above], self.lowest[gate])
                if self.lowest[gate] == self.numbers[gate]:
                    self.close(gate)

    def close(self, root):
        group = []
        while not group or group[-1] != root:
            gate = self.open.pop()
            self.is_open[gate] = False
            group.append(gate)
        self.groups.append(group)
