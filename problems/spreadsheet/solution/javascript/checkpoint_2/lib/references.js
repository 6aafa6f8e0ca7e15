'use strict';

const { Area, columnName, columnNumber, isOnSheet } = require('./address');
const { REF } = require('./errors');
const { constant } = require('./expression');

/**
 * The references in expressions: items of the types 'cell' and 'range'. A corner is a cell of which the row and the
 * column may be fixed; the first corner of a range is its top left one.
 */

const CORNER = /^(\$?)([A-Za-z]{1,2})(\$?)([1-9][0-9]{0,4})$/;

/** @returns {object | null} null if `text` is no cell, with or without `$` */
function parseCorner(text) {
  const match = CORNER.exec(text);
  if (match === null) return null;
  const [, columnSign, letters, rowSign, row] = match;
  return {
    row: Number(row),
    column: columnNumber(letters),
    isRowFixed: rowSign !== '',
    isColumnFixed: columnSign !== '',
  };
}

function cellReference(corner) {
  return { type: 'cell', ...corner };
}

/** The range between any two opposite corners. */
function rangeReference(a, b) {
  const [rowOfFirst, rowOfLast] = a.row <= b.row ? [a, b] : [b, a];
  const [columnOfFirst, columnOfLast] = a.column <= b.column ? [a, b] : [b, a];
  return { type: 'range', first: corner(rowOfFirst, columnOfFirst), last: corner(rowOfLast, columnOfLast) };
}

/** The corner with the row of one and the column of another corner. */
function corner({ row, isRowFixed }, { column, isColumnFixed }) {
  return { row, column, isRowFixed, isColumnFixed };
}

function isReference(item) {
  return item.type === 'cell' || item.type === 'range';
}

/** The area that a reference stands for. */
function areaOf(reference) {
  return reference.type === 'cell' ? Area.between(reference, reference) : Area.between(reference.first, reference.last);
}

/** The text of a reference. */
function showReference(reference) {
  if (reference.type === 'cell') return showCorner(reference);
  return `${showCorner(reference.first)}:${showCorner(reference.last)}`;
}

function showCorner({ row, column, isRowFixed, isColumnFixed }) {
  return `${isColumnFixed ? '$' : ''}${columnName(column)}${isRowFixed ? '$' : ''}${row}`;
}

/** What becomes of a reference if it is copied by so many rows and columns: an item. */
function copiedReference(reference, rows, columns) {
  const copied = (from) => ({
    ...from,
    row: from.isRowFixed ? from.row : from.row + rows,
    column: from.isColumnFixed ? from.column : from.column + columns,
  });
  if (reference.type === 'cell') {
    const cell = copied(reference);
    return isOnSheet(cell) ? cell : constant(REF);
  }
  const first = copied(reference.first);
  const last = copied(reference.last);
  return isOnSheet(first) && isOnSheet(last) ? rangeReference(first, last) : constant(REF);
}

module.exports = { parseCorner, cellReference, rangeReference, isReference, areaOf, showReference, copiedReference };
