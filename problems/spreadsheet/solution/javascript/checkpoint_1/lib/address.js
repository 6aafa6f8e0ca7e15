'use strict';

/** Addresses of cells. Columns and rows are counted from 1. */

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

/** A number that stands for the cell. */
function cellKey({ row, column }) {
  return row * KEYS_PER_ROW + column;
}

/** The cell that `cellKey` gave the number for. */
function cellOfKey(key) {
  const column = key % KEYS_PER_ROW;
  return { row: (key - column) / KEYS_PER_ROW, column };
}

module.exports = { MAX_ROW, MAX_COLUMN, parseCell, columnNumber, columnName, cellName, cellKey, cellOfKey };
