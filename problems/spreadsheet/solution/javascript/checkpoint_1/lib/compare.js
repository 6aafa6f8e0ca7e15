'use strict';

const { Decimal } = require('./decimal');
const { EMPTY } = require('./values');
const { caseFold, compareCodePoints } = require('./casefold');

/** Numbers are less than texts, texts less than booleans. */
const NUMBER = 0;
const TEXT = 1;
const BOOLEAN = 2;

function kindOf(value) {
  if (value instanceof Decimal) return NUMBER;
  return typeof value === 'string' ? TEXT : BOOLEAN;
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
  const kind = kindOf(a);
  const kindOfB = kindOf(b);
  if (kind !== kindOfB) return kind - kindOfB;
  if (kind === NUMBER) return a.compare(b);
  if (kind === TEXT) return compareCodePoints(caseFold(a), caseFold(b));
  return Number(a) - Number(b);
}

module.exports = { compareValues };
