'use strict';

const { Decimal } = require('./decimal');
const { EMPTY } = require('./values');
const { caseFold, compareCodePoints } = require('./casefold');

/** Numbers are less than texts, texts less than booleans. */
const NUMBER = 0;
const TEXT = 1;
const BOOLEAN = 2;

/** @returns {number | null} null for errors and what is empty */
function typeOf(value) {
  if (value instanceof Decimal) return NUMBER;
  if (typeof value === 'string') return TEXT;
  return typeof value === 'boolean' ? BOOLEAN : null;
}

/** What an empty cell is compared as, with `other`. */
function emptyAs(other) {
  if (other === EMPTY || other instanceof Decimal) return Decimal.ZERO;
  return typeof other === 'string' ? '' : false;
}

/**
 * The order of two values that are no errors.
 * @returns {number} negative, 0 or positive, as `a` is less than, equal to or greater than `b`
 */
function compareValues(a, b) {
  if (a === EMPTY) a = emptyAs(b);
  if (b === EMPTY) b = emptyAs(a);
  const type = typeOf(a);
  const typeOfB = typeOf(b);
  if (type !== typeOfB) return type - typeOfB;
  if (type === NUMBER) return a.compare(b);
  if (type === TEXT) return compareCodePoints(caseFold(a), caseFold(b));
  return Number(a) - Number(b);
}

/** @returns {boolean} whether both are numbers, texts or booleans; errors and what is empty are of no type */
function haveSameType(a, b) {
  const type = typeOf(a);
  return type !== null && type === typeOf(b);
}

/** Which orders (see compareValues) the operators for comparisons hold for. */
const COMPARISONS = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

module.exports = { COMPARISONS, compareValues, haveSameType };
