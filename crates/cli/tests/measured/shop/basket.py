"""What is bought."""

from shop import prices


class Basket:
    def __init__(self):
        self.items = []

    def total(self, country):
        total = 0
        for item in self.items:
            if item.amount > 0 and item.price is not None:
                if country == "de" or country == "at":
                    total += item.amount * item.price * 1.2
                else:
                    total += item.amount * item.price
        return total

    def cheapest(self):
        return prices.lowest([item.price for item in self.items])
