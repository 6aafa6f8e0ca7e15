"""The functions of the language by name."""

from logquery.functions.calendar import CALENDAR
from logquery.functions.numeric import NUMERIC
from logquery.functions.structure import STRUCTURE
from logquery.functions.texts import TEXTS

FUNCTIONS = {**TEXTS, **NUMERIC, **STRUCTURE, **CALENDAR}
