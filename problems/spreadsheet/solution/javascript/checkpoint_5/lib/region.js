'use strict';

const { Area } = require('./address');
const { EMPTY } = require('./values');

/** What a reference refers to: the cells of an area. Places in it are counted from 1. */
class Region {
  constructor(grid, area) {
    this.grid = grid;
    this.area = area;
  }

  get rows() {
    return this.area.rows;
  }

  get columns() {
    return this.area.columns;
  }

  /** How many cells there are, empty ones included. */
  get size() {
    return this.area.size;
  }

  /** Whether there is only one row or only one column. */
  get isLine() {
    return this.rows === 1 || this.columns === 1;
  }

  /** The first column as a region. */
  get firstColumn() {
    const { top, left, bottom } = this.area;
    return new Region(this.grid, new Area(top, left, bottom, left));
  }

  /** The value in a row and a column of the region, EMPTY if the cell is empty. */
  valueAt(row, column) {
    return this.grid.get({ row: this.area.top + row - 1, column: this.area.left + column - 1 })?.value ?? EMPTY;
  }

  /** The cells that are not empty: { row, column, value }, row by row, in a row from the left. */
  *filledCells() {
    const { top, left } = this.area;
    for (const { row, column, value } of this.grid.cellsIn(this.area)) {
      yield { row: row - top + 1, column: column - left + 1, value };
    }
  }

  /** The values of the cells that are not empty, in the same order. */
  filledValues() {
    const values = [];
    for (const cell of this.grid.cellsIn(this.area)) values.push(cell.value);
    return values;
  }
}

module.exports = { Region };
