"""The functions that expressions can call."""


class Function:
    def __init__(self, least, most, gate, negated=False, odd=False):
        self.least = least
        self.most = most
        self.gate = gate  # the gate that joins its arguments
        self.negated = negated
        self.odd = odd  # whether it takes an odd number of arguments alone

    def takes(self, count):
        if self.odd and count % 2 == 0:
            return False
        return self.least <= count and (self.most is None or count <= self.most)


FUNCTIONS = {
    "and": Function(1, None, "and"),
    "or": Function(1, None, "or"),
    "xor": Function(1, None, "xor"),
    "nand": Function(1, None, "and", negated=True),
    "nor": Function(1, None, "or", negated=True),
    "xnor": Function(1, None, "xor", negated=True),
    "mux": Function(3, 3, "mux"),
    "maj": Function(3, None, "maj", odd=True),
}
