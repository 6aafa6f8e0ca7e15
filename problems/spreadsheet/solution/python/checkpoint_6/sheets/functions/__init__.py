"""The functions that formulas can call."""

from sheets.functions import aggregates, arrays, logic, lookup, numeric, texts

FUNCTIONS = {
    **aggregates.FUNCTIONS,
    **arrays.FUNCTIONS,
    **logic.FUNCTIONS,
    **lookup.FUNCTIONS,
    **numeric.FUNCTIONS,
    **texts.FUNCTIONS,
}
