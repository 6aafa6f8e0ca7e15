'use strict';

const { cellKey } = require('./address');

/** @returns {number} the first index of the ordered array from which on `valueOf(element)` is at least `value` */
function lowerBound(array, value, valueOf) {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueOf(array[middle]) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const rowOf = (element) => element.row;
const columnOf = (element) => element.column;

/** The filled cells of a sheet. Only they cost time, however large an area is. */
class Grid {
  constructor() {
    this.byKey = new Map();
    /** The rows with filled cells, in order: { row, cells }, the cells in order. */
    this.rows = [];
  }

  /** @returns {Cell | undefined} the cell at an address, undefined if it is empty */
  get(address) {
    return this.byKey.get(cellKey(address));
  }

  /** Puts a cell at its address. */
  put(cell) {
    this.byKey.set(cellKey(cell), cell);
    const { row, column } = cell;
    const i = lowerBound(this.rows, row, rowOf);
    if (this.rows[i]?.row === row) {
      const { cells } = this.rows[i];
      const j = lowerBound(cells, column, columnOf);
      cells.splice(j, cells[j]?.column === column ? 1 : 0, cell);
    } else {
      this.rows.splice(i, 0, { row, cells: [cell] });
    }
  }

  /** Makes the cell at an address empty. */
  delete(address) {
    if (!this.byKey.delete(cellKey(address))) return;
    const i = lowerBound(this.rows, address.row, rowOf);
    const { cells } = this.rows[i];
    if (cells.length === 1) this.rows.splice(i, 1);
    else cells.splice(lowerBound(cells, address.column, columnOf), 1);
  }

  /** The filled cells in an area that `isWanted`, row by row, in a row from the left. */
  *cellsIn({ top, left, bottom, right }, isWanted = () => true) {
    for (let i = lowerBound(this.rows, top, rowOf); i < this.rows.length && this.rows[i].row <= bottom; i += 1) {
      const { cells } = this.rows[i];
      for (let j = lowerBound(cells, left, columnOf); j < cells.length && cells[j].column <= right; j += 1) {
        if (isWanted(cells[j])) yield cells[j];
      }
    }
  }
}

module.exports = { Grid };
