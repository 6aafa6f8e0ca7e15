"""Strongly connected components, and the order in which to take them."""

import heapq


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


def groups_in_order(successors):
    """The components of a graph as sorted lists, each after all that lead to it; of several that can be next, the least."""
    groups = {min(group): sorted(group) for group in components(successors, successors.__getitem__)}
    group_of = {node: first for first, group in groups.items() for node in group}
    followers = {first: [] for first in groups}
    waiting = dict.fromkeys(groups, 0)
    for node, others in successors.items():
        first = group_of[node]
        outside = [group_of[other] for other in others if group_of[other] != first]
        followers[first].extend(outside)
        for follower in outside:
            waiting[follower] += 1
    for first in _least_ready_first(followers, waiting):
        yield groups[first]


def _least_ready_first(followers, waiting):
    ready = [node for node, count in waiting.items() if not count]
    heapq.heapify(ready)
    while ready:
        node = heapq.heappop(ready)
        yield node
        for follower in followers[node]:
            waiting[follower] -= 1
            if not waiting[follower]:
                heapq.heappush(ready, follower)
