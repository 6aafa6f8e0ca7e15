"""Answers as lines."""

from sheets.cells import show_cell
from sheets.sheet_names import show_sheet_name
from sheets.values import is_same, show


def listing(lines):
    return [f"ok {len(lines)}", *lines]


def show_on_sheet(workbook, cell):
    return f"{show_sheet_name(workbook.sheets[cell[0]].name)}!{show_cell(cell)}"


def show_evaluation(workbook, evaluation):
    cell = show_on_sheet(workbook, evaluation.cell)
    if is_same(evaluation.old, evaluation.new):
        return f"{cell} {show_any(evaluation.new)}"
    return f"{cell} {show_any(evaluation.old)} -> {show_any(evaluation.new)}"


def show_source(content):
    return "empty" if content is None else content.source()


def show_any(value):
    return "empty" if value is None else show(value)


def trace(workbook, evaluations):
    return listing([show_evaluation(workbook, each) for each in evaluations])
