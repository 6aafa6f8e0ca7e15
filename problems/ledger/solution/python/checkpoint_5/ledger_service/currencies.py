"""Currencies."""

from dataclasses import dataclass

from ledger_service.errors import TooPrecise
from ledger_service.money import ATOMS, format_units


@dataclass(frozen=True)
class Currency:
    code: str
    digits: int
    rounding: str

    @property
    def scale(self):
        """How many smallest units make one."""
        return 10**self.digits

    def units(self, amount):
        """Return so many atoms as a whole number of smallest units."""
        units, rest = divmod(amount, ATOMS // self.scale)
        if rest:
            raise TooPrecise
        return units

    def format(self, units):
        return format_units(units, self.digits)

    def to_json(self):
        return {"currency": self.code, "digits": self.digits, "rounding": self.rounding}


EUR = Currency("EUR", 2, "half_even")
