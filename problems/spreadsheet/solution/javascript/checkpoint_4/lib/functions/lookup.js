'use strict';

const { compareValues, haveSameType } = require('../compare');
const { Decimal } = require('../decimal');
const { NA, REF, VALUE } = require('../errors');
const { EMPTY } = require('../values');
const { define } = require('./signature');

/** The value that is sought for a value: 0 if it is empty. */
function soughtFor(value) {
  return value === EMPTY ? Decimal.ZERO : value;
}

function isEqual(value, sought) {
  return haveSameType(value, sought) && compareValues(value, sought) === 0;
}

/** @returns {object | undefined} the first cell of the region that is equal to the value */
function firstEqual(region, sought) {
  for (const cell of region.filledCells()) {
    if (isEqual(cell.value, sought)) return cell;
  }
  return undefined;
}

/** @returns {object | undefined} of the greatest values that are not greater than the value, the last one's cell */
function lastNotGreater(region, sought) {
  let found;
  for (const cell of region.filledCells()) {
    if (!haveSameType(cell.value, sought) || compareValues(cell.value, sought) > 0) continue;
    if (found === undefined || compareValues(cell.value, found.value) >= 0) found = cell;
  }
  return found;
}

/** @returns {object | undefined} of the least values that are not less than the value, the first one's cell */
function firstNotLess(region, sought) {
  let found;
  for (const cell of region.filledCells()) {
    if (!haveSameType(cell.value, sought) || compareValues(cell.value, sought) < 0) continue;
    if (found === undefined || compareValues(cell.value, found.value) < 0) found = cell;
  }
  return found;
}

/** The ways to search, by the third argument of MATCH. */
const SEARCHES = new Map([
  ['0', firstEqual],
  ['1', lastNotGreater],
  ['-1', firstNotLess],
]);

function match(value, region, way = Decimal.ZERO) {
  const search = SEARCHES.get(way.toString());
  if (search === undefined || !region.isLine) return VALUE;
  const cell = search(region, soughtFor(value));
  return cell === undefined ? NA : Decimal.fromInteger(Math.max(cell.row, cell.column));
}

function index(region, n, m) {
  let [row, column] = [n, m];
  if (m === undefined) {
    if (!region.isLine) return REF;
    [row, column] = region.rows === 1 ? [1, n] : [n, 1];
  }
  if (row > region.rows || column > region.columns) return REF;
  return region.valueAt(row, column);
}

function vLookup(value, region, column) {
  if (column > region.columns) return REF;
  const cell = firstEqual(region.firstColumn, soughtFor(value));
  return cell === undefined ? NA : region.valueAt(cell.row, column);
}

module.exports = {
  INDEX: define('reference place place?', index),
  MATCH: define('value reference number?', match),
  VLOOKUP: define('value reference place', vLookup),
};
