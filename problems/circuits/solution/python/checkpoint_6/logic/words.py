"""Operations on words, which are lists of gates with the lowest bit first."""


class WordGates:
    """Builds words out of gates of a network."""

    def __init__(self, network):
        self.network = network

    def constant(self, bits):
        """From digits, the highest first."""
        return [self.network.add(digit) for digit in reversed(bits)]

    def negated(self, word):
        return self.network.add_all("not", [(bit,) for bit in word])

    def bitwise(self, kind, *words):
        return self.network.add_all(kind, zip(*words))

    def reduced(self, kind, word):
        return [self.network.add(kind, *word)]

    def choice(self, condition, first, second):
        return self.network.add_all("mux", [(condition, a, b) for a, b in zip(first, second)])

    def sum(self, first, second, carry):
        """The sum with a carry, without the carry out."""
        result = []
        for place, (a, b) in enumerate(zip(first, second), 1):
            result.append(self.network.add("xor", a, b, carry))
            if place < len(first):
                carry = self.network.add("maj", a, b, carry)
        return result

    def add(self, first, second):
        return self.sum(first, second, self.network.add("0"))

    def subtract(self, first, second):
        return self.sum(first, self.negated(second), self.network.add("1"))

    def opposite(self, word):
        return self.subtract(self.constant("0" * len(word)), word)

    def multiply(self, first, second):
        """The sum of the first word's multiples, each with as many bits as are left of the result."""
        result = self.bitwise("and", first, [second[0]] * len(first))
        for place in range(1, len(first)):
            multiple = [self.network.add("and", bit, second[place]) for bit in first[: len(first) - place]]
            result[place:] = self.add(result[place:], multiple)
        return result

    def shifted(self, word, amount, step):
        """Moved up by the amount (step 1) or down (step -1)."""
        for place, bit in enumerate(amount):
            distance = min(1 << place, len(word))
            zeros = self.constant("0" * distance)
            kept = len(word) - distance
            moved = zeros + word[:kept] if step > 0 else word[distance:] + zeros
            word = self.choice(bit, moved, word)
        return word

    def rotated(self, word, amount, step):
        """Turned up by the amount (step 1) or down (step -1)."""
        for place, bit in enumerate(amount):
            start = -step * pow(2, place, len(word)) % len(word)
            word = self.choice(bit, word[start:] + word[:start], word)
        return word

    def less(self, first, second):
        """Whether the first is less, as the borrow of their difference."""
        borrow = self.network.add("0")
        for a, b in zip(first, second):
            borrow = self.network.add("maj", self.network.add("not", a), b, borrow)
        return [borrow]

    def equal(self, first, second):
        return self.negated(self.reduced("or", self.bitwise("xor", first, second)))
