"""The functions that formulas can call."""

from sheets.functions import aggregates, logic, lookup, numeric, texts

FUNCTIONS = {
    **aggregates.FUNCTIONS,
    **logic.FUNCTIONS,
    **lookup.FUNCTIONS,
    **numeric.FUNCTIONS,
    **texts.FUNCTIONS,
}
