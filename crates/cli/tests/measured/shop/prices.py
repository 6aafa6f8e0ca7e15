"""What things cost."""

from shop.basket import Basket


def lowest(prices):
    return min(prices)


def of_all(baskets: list[Basket], country):
    # Sums up.
    result = []
    for basket in baskets:
        result.append(basket.total(country))
    return sum(result)
