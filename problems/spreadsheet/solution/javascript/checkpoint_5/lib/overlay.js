'use strict';

const { Grid } = require('./grid');

/** Cells that are to be put into sheets; those that are to be emptied are there as empty cells. */
class Overlay {
  constructor() {
    this.grids = new Map();
  }

  /** @returns {Cell | undefined} */
  get({ sheet, row, column }) {
    return this.grids.get(sheet)?.get({ row, column });
  }

  put(cell) {
    if (!this.grids.has(cell.sheet)) this.grids.set(cell.sheet, new Grid());
    this.grids.get(cell.sheet).put(cell);
  }

  delete({ sheet, row, column }) {
    this.grids.get(sheet)?.delete({ row, column });
  }

  deleteSheet(sheet) {
    this.grids.delete(sheet);
  }

  /** Moves the cells of a sheet, and takes out those that are on no line any more. */
  rearrange(sheet, lineChange) {
    this.grids.get(sheet)?.rearrange(lineChange);
  }

  /** @returns {Cell[]} the cells of one sheet in an area, in order */
  cellsIn({ sheet, area }) {
    return [...(this.grids.get(sheet)?.cellsIn(area) ?? [])];
  }

  /** @returns {Cell[]} the cells of these sheets, in their order */
  cellsOf(sheets) {
    return sheets.flatMap((sheet) => this.cellsIn({ sheet }));
  }
}

module.exports = { Overlay };
