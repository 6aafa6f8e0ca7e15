'use strict';

const { Area, columnName, columnNumber, isOnSheet } = require('./address');
const { REF } = require('./errors');
const { constant } = require('./expression');
const { showSheetName } = require('./sheetnames');

/**
 * The references in expressions, items of the types
 * - { type: 'cell', sheetName, corner }
 * - { type: 'range', sheetName, first, last }: the first corner is the top left one
 * The name of the sheet is null if it is not named. Corners are { row, column, isRowFixed, isColumnFixed }.
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

function cellReference(sheetName, corner) {
  return { type: 'cell', sheetName, corner };
}

/** The range between any two opposite corners. */
function rangeReference(sheetName, a, b) {
  const [rowOfFirst, rowOfLast] = a.row <= b.row ? [a, b] : [b, a];
  const [columnOfFirst, columnOfLast] = a.column <= b.column ? [a, b] : [b, a];
  return {
    type: 'range',
    sheetName,
    first: combineCorners(rowOfFirst, columnOfFirst),
    last: combineCorners(rowOfLast, columnOfLast),
  };
}

/** The corner with the row of one and the column of another corner. */
function combineCorners({ row, isRowFixed }, { column, isColumnFixed }) {
  return { row, column, isRowFixed, isColumnFixed };
}

function isReference(item) {
  return item.type === 'cell' || item.type === 'range';
}

/** The area that a reference stands for. */
function areaOf(reference) {
  if (reference.type === 'cell') return Area.between(reference.corner, reference.corner);
  return Area.between(reference.first, reference.last);
}

/** The text of a reference; `spell` gives the present spelling of a sheet's name. */
function showReference(reference, spell) {
  const sheet = reference.sheetName === null ? '' : `${showSheetName(spell(reference.sheetName))}!`;
  if (reference.type === 'cell') return sheet + showCorner(reference.corner);
  return `${sheet}${showCorner(reference.first)}:${showCorner(reference.last)}`;
}

function showCorner({ row, column, isRowFixed, isColumnFixed }) {
  return `${isColumnFixed ? '$' : ''}${columnName(column)}${isRowFixed ? '$' : ''}${row}`;
}

/** What becomes of a reference if it is copied by so many rows and columns: an item. */
function copiedReference(reference, rows, columns) {
  const copied = (corner) => ({
    ...corner,
    row: corner.isRowFixed ? corner.row : corner.row + rows,
    column: corner.isColumnFixed ? corner.column : corner.column + columns,
  });
  const { sheetName } = reference;
  if (reference.type === 'cell') {
    const corner = copied(reference.corner);
    return isOnSheet(corner) ? cellReference(sheetName, corner) : constant(REF);
  }
  const first = copied(reference.first);
  const last = copied(reference.last);
  return isOnSheet(first) && isOnSheet(last) ? rangeReference(sheetName, first, last) : constant(REF);
}

module.exports = { parseCorner, cellReference, rangeReference, isReference, areaOf, showReference, copiedReference };
