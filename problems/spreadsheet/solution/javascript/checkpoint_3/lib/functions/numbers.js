'use strict';

const { criterionOf } = require('../criteria');
const { Decimal, ExactSum } = require('../decimal');
const { DIV0, VALUE, isError, mostSevere } = require('../errors');
const { EMPTY } = require('../values');
const { define } = require('./signature');

function exactSum(numbers) {
  const sum = new ExactSum();
  for (const number of numbers) sum.add(number);
  return sum;
}

/** The first of the numbers that no other one is better than; 0 if there are none. */
function best(lists, isBetter) {
  const numbers = lists.flat();
  if (numbers.length === 0) return Decimal.ZERO;
  return numbers.reduce((champion, number) => (isBetter(number.compare(champion)) ? number : champion));
}

/** How many values of the arguments are counted. */
function count(args, isCounted) {
  let total = 0;
  for (const { values } of args) total += values.filter(isCounted).length;
  return Decimal.fromInteger(total);
}

/** Calls `apply` with the criterion that `value` is, if it is no error instead. */
function withCriterion(value, apply) {
  const criterion = criterionOf(value);
  return isError(criterion) ? criterion : apply(criterion);
}

function countIf(region, value) {
  return withCriterion(value, (criterion) => {
    const values = region.filledValues();
    const fitting = values.filter((filled) => criterion.fits(filled)).length;
    const empty = criterion.fits(EMPTY) ? region.size - values.length : 0;
    return Decimal.fromInteger(fitting + empty);
  });
}

function sumIf(region, value, summed = region) {
  if (summed.rows !== region.rows || summed.columns !== region.columns) return VALUE;
  return withCriterion(value, (criterion) => {
    const values = [];
    for (const cell of summed.filledCells()) {
      if (criterion.fits(region.valueAt(cell.row, cell.column))) values.push(cell.value);
    }
    return mostSevere(values) ?? exactSum(values.filter((fitting) => fitting instanceof Decimal)).rounded();
  });
}

module.exports = {
  SUM: define('numbers…', (lists) => exactSum(lists.flat()).rounded()),

  AVERAGE: define('numbers…', (lists) => {
    const numbers = lists.flat();
    return numbers.length === 0 ? DIV0 : exactSum(numbers).dividedBy(numbers.length);
  }),

  MIN: define('numbers…', (lists) => best(lists, (order) => order < 0)),
  MAX: define('numbers…', (lists) => best(lists, (order) => order > 0)),
  COUNT: define('valuesOrErrors…', (args) => count(args, (value) => value instanceof Decimal)),
  COUNTA: define('valuesOrErrors…', (args) => count(args, (value) => value !== EMPTY)),
  COUNTIF: define('reference value', countIf),
  SUMIF: define('reference value reference?', sumIf),

  ABS: define('number', (n) => n.magnitude()),
  INT: define('number', (n) => n.floor()),
  ROUND: define('number decimals', (n, decimals) => n.roundTo(decimals)),
  MOD: define('number number', (n, d) => n.modulo(d)),
  SQRT: define('number', (n) => n.squareRoot()),
};
