"""Strongly connected components."""


class _Search:
    """Tarjan's algorithm without recursion."""

    def __init__(self, successors):
        self.successors = successors
        self.numbers = {}
        self.lowest = {}
        self.open = []
        self.is_open = set()

    def enter(self, node):
        self.numbers[node] = self.lowest[node] = len(self.numbers)
        self.open.append(node)
        self.is_open.add(node)
        return node, iter(self.successors(node))

    def close(self, node):
        component = []
        while True:
            member = self.open.pop()
            self.is_open.remove(member)
            component.append(member)
            if member == node:
                return component

    def next_unseen(self, node, successors):
        for successor in successors:
            if successor not in self.numbers:
                return successor
            if successor in self.is_open:
                self.lowest[node] = min(self.lowest[node], self.numbers[successor])
        return None

    def from_root(self, root):
        path = [self.enter(root)]
        while path:
            node, successors = path[-1]
            unseen = self.next_unseen(node, successors)
            if unseen is not None:
                path.append(self.enter(unseen))
                continue
            path.pop()
            if path:
                parent = path[-1][0]
                self.lowest[parent] = min(self.lowest[parent], self.lowest[node])
            if self.lowest[node] == self.numbers[node]:
                yield self.close(node)


def components(roots, successors):
    """The components of all that can be reached, each after those that it leads to."""
    search = _Search(successors)
    for root in roots:
        if root not in search.numbers:
            yield from search.from_root(root)
