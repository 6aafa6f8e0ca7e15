"""The order of inputs with which the fewest choices are needed.

How many choices there are on a bit depends on which bits are decided before it, but not on their order. So the best
order of all bits is found over the sets of bits that are decided first.
"""

from logic.errors import WRONG_CALL, CommandError
from logic.simulation import simulate

MOST_BITS = 8


def best_order(question):
    """The input bits that matter, in the first of the best orders, before all others."""
    _, values = question.solve(question.free_bits)
    needed = sorted({level for value in values for function in value for level in levels_of(function)})
    if len(needed) > MOST_BITS:
        raise CommandError([f"error bits {len(needed)}"], WRONG_CALL)
    bits = [question.free_bits[level] for level in needed]
    order = [bits[place] for place in Search(truth_tables(question, bits), len(bits)).order()]
    return order + [bit for bit in question.free_bits if bit not in bits]


def levels_of(function):
    """The levels of the variables on which a function depends."""
    seen, pending = set(), [function]
    while pending:
        node = pending.pop()
        if node not in seen and node.low:
            seen.add(node)
            pending.extend((node.low, node.high))
    return {node.level for node in seen}


def variable(place, count):
    """The truth table of a variable: bit `i` is set if digit `place` of `i` is."""
    run = 1 << place
    period = ((1 << run) - 1) << run
    return sum(period << start for start in range(0, 1 << count, 2 * run))


def truth_tables(question, bits):
    """The truth tables of all signals' bits, each a pair of where it can be 1 and 0."""
    everything = (1 << (1 << len(bits))) - 1
    given = {gate: (0, everything) for gate in question.free_bits}
    for place, gate in enumerate(bits):
        table = variable(place, len(bits))
        given[gate] = (table, everything ^ table)
    values = simulate(question.circuit, given, everything, 0, question.circuit.network.feeding(question.wanted))
    return {values[gate] for gate in question.wanted}


class Search:
    """Finds how many choices are left once a set of bits, given as an integer, is decided."""

    def __init__(self, tables, count):
        self.count = count
        self.masks = [variable(place, count) for place in range(count)]
        self.tables = {0: tables}
        self.left = {(1 << count) - 1: 0}

    def restricted(self, table, place, value):
        """A pair of truth tables with a bit decided; they no longer depend on it."""
        mask, run = self.masks[place], 1 << place
        if value:
            return tuple(side & mask | (side & mask) >> run for side in table)
        return tuple(side & ~mask | (side & ~mask) << run for side in table)

    def tables_after(self, decided):
        """All different tables that are left after all ways to decide these bits."""
        if decided not in self.tables:
            place = decided.bit_length() - 1
            before = self.tables_after(decided ^ 1 << place)
            self.tables[decided] = {self.restricted(table, place, value) for table in before for value in (0, 1)}
        return self.tables[decided]

    def choices(self, decided, place):
        """How many tables depend on the next bit."""
        tables = self.tables_after(decided)
        return sum(self.restricted(table, place, 0) != self.restricted(table, place, 1) for table in tables)

    def fewest(self, decided):
        if decided not in self.left:
            self.left[decided] = min(self.options(decided).values())
        return self.left[decided]

    def options(self, decided):
        """For each bit that can be next, the fewest choices that are left with it."""
        return {
            place: self.choices(decided, place) + self.fewest(decided | 1 << place)
            for place in range(self.count)
            if not decided >> place & 1
        }

    def order(self):
        order, decided = [], 0
        while len(order) < self.count:
            options = self.options(decided)
            order.append(min(options, key=options.get))
            decided |= 1 << order[-1]
        return order
