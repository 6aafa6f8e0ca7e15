'use strict';

const { NA, NUM } = require('./errors');

/** The most values of an array value. */
const MAX_VALUES = 100000;

/** Rows and columns of single values, as there are in the formulas of arrays. */
class ArrayValue {
  /** @param {any[]} values row by row */
  constructor(rows, columns, values) {
    this.rows = rows;
    this.columns = columns;
    this.values = values;
  }

  /**
   * @param {function} valueAt gives the value in a row and a column, counted from 0
   * @returns {ArrayValue | ErrorValue} `#NUM!` if there are too many values
   */
  static build(rows, columns, valueAt) {
    if (rows * columns > MAX_VALUES) return NUM;
    const values = [];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) values.push(valueAt(row, column));
    }
    return new ArrayValue(rows, columns, values);
  }

  /** An array value as it is, a single value as one of size 1 x 1. */
  static from(value) {
    return value instanceof ArrayValue ? value : new ArrayValue(1, 1, [value]);
  }

  /** The value in a row and a column of the array value itself, counted from 0. */
  at(row, column) {
    return this.values[row * this.columns + column];
  }

  /** The value for a place: an only row is taken for each row, an only column for each column, and others are #N/A. */
  forPlace(row, column) {
    const ownRow = this.rows === 1 ? 0 : row;
    const ownColumn = this.columns === 1 ? 0 : column;
    return ownRow < this.rows && ownColumn < this.columns ? this.at(ownRow, ownColumn) : NA;
  }

  /** The values of a row. */
  row(row) {
    return this.values.slice(row * this.columns, (row + 1) * this.columns);
  }
}

/**
 * Applies a function to operands, to the single values in the same place if some of them are array values.
 * @param {any[]} operands array values, and others that are the same for all places
 * @param {function} apply gives a single value for operands of which none is an array value
 */
function placeByPlace(operands, apply) {
  const arrays = operands.filter((operand) => operand instanceof ArrayValue);
  if (arrays.length === 0) return apply(operands);
  const rows = Math.max(...arrays.map((array) => array.rows));
  const columns = Math.max(...arrays.map((array) => array.columns));
  return ArrayValue.build(rows, columns, (row, column) =>
    apply(operands.map((operand) => (operand instanceof ArrayValue ? operand.forPlace(row, column) : operand))),
  );
}

module.exports = { ArrayValue, MAX_VALUES, placeByPlace };
