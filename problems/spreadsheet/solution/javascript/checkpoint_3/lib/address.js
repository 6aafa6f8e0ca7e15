'use strict';

/** Addresses of cells and areas. Columns and rows are counted from 1. */

const MAX_ROW = 99999;
const MAX_COLUMN = 26 + 26 * 26;

/** More than any column: keys that are ordered go row by row, in a row from the left. */
const KEYS_PER_ROW = 1024;

const CELL = /^([A-Za-z]{1,2})([1-9][0-9]{0,4})$/;

const CODE_BEFORE_A = 'A'.charCodeAt(0) - 1;

/** @returns {{row: number, column: number} | null} null if `text` names no cell */
function parseCell(text) {
  const match = CELL.exec(text);
  if (match === null) return null;
  return { row: Number(match[2]), column: columnNumber(match[1]) };
}

/** @param {string} letters one or two letters in either case */
function columnNumber(letters) {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - CODE_BEFORE_A;
  return number;
}

function columnName(column) {
  const last = (column - 1) % 26;
  const first = (column - 1 - last) / 26;
  return (first > 0 ? String.fromCharCode(CODE_BEFORE_A + first) : '') + String.fromCharCode(CODE_BEFORE_A + last + 1);
}

function cellName({ row, column }) {
  return columnName(column) + row;
}

function isOnSheet({ row, column }) {
  return row >= 1 && row <= MAX_ROW && column >= 1 && column <= MAX_COLUMN;
}

/** A number that stands for the cell. */
function cellKey({ row, column }) {
  return row * KEYS_PER_ROW + column;
}

/** The cell that `cellKey` gave the number for. */
function cellOfKey(key) {
  const column = key % KEYS_PER_ROW;
  return { row: (key - column) / KEYS_PER_ROW, column };
}

/** A rectangle of cells. */
class Area {
  constructor(top, left, bottom, right) {
    this.top = top;
    this.left = left;
    this.bottom = bottom;
    this.right = right;
  }

  /** The area with these cells in opposite corners. */
  static between(a, b) {
    return new Area(
      Math.min(a.row, b.row),
      Math.min(a.column, b.column),
      Math.max(a.row, b.row),
      Math.max(a.column, b.column),
    );
  }

  /** @returns {Area | null} null if `text` is neither a cell nor two of them with a colon between them */
  static parse(text) {
    const corners = text.split(':').map(parseCell);
    if (corners.length > 2 || corners.includes(null)) return null;
    return Area.between(corners[0], corners[corners.length - 1]);
  }

  get rows() {
    return this.bottom - this.top + 1;
  }

  get columns() {
    return this.right - this.left + 1;
  }

  get size() {
    return this.rows * this.columns;
  }

  get topLeft() {
    return { row: this.top, column: this.left };
  }

  /** The area of the same size with another top left cell. */
  movedTo({ row, column }) {
    return new Area(row, column, row + this.rows - 1, column + this.columns - 1);
  }

  isOnSheet() {
    return isOnSheet(this.topLeft) && isOnSheet({ row: this.bottom, column: this.right });
  }

  contains({ row, column }) {
    return row >= this.top && row <= this.bottom && column >= this.left && column <= this.right;
  }
}

const WHOLE_SHEET = new Area(1, 1, MAX_ROW, MAX_COLUMN);

module.exports = {
  MAX_ROW,
  MAX_COLUMN,
  WHOLE_SHEET,
  Area,
  parseCell,
  columnNumber,
  columnName,
  cellName,
  cellKey,
  cellOfKey,
  isOnSheet,
};
