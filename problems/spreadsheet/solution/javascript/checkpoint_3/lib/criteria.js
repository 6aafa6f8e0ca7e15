'use strict';

const { COMPARISONS, compareValues, haveSameType } = require('./compare');
const { Decimal } = require('./decimal');
const { isError } = require('./errors');
const { EMPTY, parseBoolean } = require('./values');

/** A comparison, and what values are compared with; EMPTY if nothing is. */
class Criterion {
  constructor(comparison, operand) {
    this.comparison = comparison;
    this.operand = operand;
  }

  /** @returns {boolean} whether a cell with this value (EMPTY for an empty cell) fits */
  fits(value) {
    if (isError(value)) return false;
    return this.comparison === '<>' ? !this.holds('=', value) : this.holds(this.comparison, value);
  }

  holds(comparison, value) {
    if (this.operand === EMPTY) return comparison === '=' && value === EMPTY;
    return haveSameType(value, this.operand) && COMPARISONS[comparison](compareValues(value, this.operand));
  }
}

/** @returns {Criterion | ErrorValue} the criterion that a value stands for */
function criterionOf(value) {
  if (value === EMPTY) return new Criterion('=', Decimal.ZERO);
  if (typeof value !== 'string') return new Criterion('=', value);
  const [, comparison = '=', rest] = /^(<>|<=|>=|=|<|>)?(.*)$/s.exec(value);
  if (rest === '') return new Criterion(comparison, EMPTY);
  const operand = parseBoolean(rest) ?? Decimal.fromSignedLiteral(rest) ?? rest;
  return isError(operand) ? operand : new Criterion(comparison, operand);
}

module.exports = { Criterion, criterionOf };
