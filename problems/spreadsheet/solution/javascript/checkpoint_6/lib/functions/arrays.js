'use strict';

const { ArrayValue } = require('../arrayvalue');
const { compareValues } = require('../compare');
const { Decimal, ExactSum } = require('../decimal');
const { NA, VALUE, isError, mostSevere } = require('../errors');
const { EMPTY, toCondition } = require('../values');
const { defineForArrays } = require('./signature');

function transpose(array) {
  return ArrayValue.build(array.columns, array.rows, (row, column) => array.at(column, row));
}

function sequence(rows, columns = 1) {
  return ArrayValue.build(rows, columns, (row, column) => Decimal.fromInteger(row * columns + column + 1));
}

function matrixProduct(a, b) {
  const error = mostSevere([...a.values, ...b.values]);
  if (error !== null) return error;
  const isNumber = (value) => value instanceof Decimal;
  if (a.columns !== b.rows || !a.values.every(isNumber) || !b.values.every(isNumber)) return VALUE;
  return ArrayValue.build(a.rows, b.columns, (row, column) => {
    const sum = new ExactSum();
    for (let i = 0; i < a.columns; i += 1) sum.addProduct(a.at(row, i), b.at(i, column));
    return sum.rounded();
  });
}

function filter(array, conditions) {
  const isForRows = conditions.columns === 1 && conditions.rows === array.rows;
  const isForColumns = conditions.rows === 1 && conditions.columns === array.columns;
  if (!isForRows && !isForColumns) return VALUE;
  const converted = conditions.values.map(toCondition);
  const error = mostSevere(conditions.values) ?? mostSevere(converted);
  if (error !== null) return error;
  const kept = [...converted.keys()].filter((i) => converted[i]);
  if (kept.length === 0) return NA;
  if (isForRows) return ArrayValue.build(kept.length, array.columns, (row, column) => array.at(kept[row], column));
  return ArrayValue.build(array.rows, kept.length, (row, column) => array.at(row, kept[column]));
}

function sort(array, place = 1, direction = Decimal.ONE) {
  const sign = Number(direction.toString());
  if (place > array.columns || (sign !== 1 && sign !== -1)) return VALUE;
  const keyOf = (row) => array.at(row, place - 1);
  const hasOrder = (row) => keyOf(row) !== EMPTY && !isError(keyOf(row));
  const rows = Array.from({ length: array.rows }, (_, row) => row);
  const sorted = rows.filter(hasOrder).sort((a, b) => sign * compareValues(keyOf(a), keyOf(b)));
  const order = [...sorted, ...rows.filter((row) => !hasOrder(row))];
  return ArrayValue.build(array.rows, array.columns, (row, column) => array.at(order[row], column));
}

module.exports = {
  TRANSPOSE: defineForArrays('array', transpose),
  SEQUENCE: defineForArrays('singlePlace singlePlace?', sequence),
  MMULT: defineForArrays('array array', matrixProduct),
  FILTER: defineForArrays('array array', filter),
  SORT: defineForArrays('array singlePlace? singleNumber?', sort),
};
