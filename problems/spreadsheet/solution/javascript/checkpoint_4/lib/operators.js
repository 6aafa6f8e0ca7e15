'use strict';

const { COMPARISONS, compareValues } = require('./compare');
const { toNumber, toText } = require('./values');

/**
 * An operator has
 * - symbol: how it is written;
 * - fixity: 'prefix', 'postfix' or 'infix';
 * - precedence: operators bind the tighter the higher it is;
 * - operandPrecedences: for each operand, the least precedence with which it needs no parentheses;
 * - convert: what is done to each operand first, null if nothing is;
 * - apply: gives the result for the converted operands; none of them is an error.
 */

const PRECEDENCE = { comparison: 1, join: 2, sum: 3, product: 4, sign: 5, power: 6, percent: 7, operand: 8 };

function infix(symbol, precedence, convert, apply) {
  return { symbol, fixity: 'infix', precedence, operandPrecedences: [precedence, precedence + 1], convert, apply };
}

function comparison(symbol, holds) {
  return infix(symbol, PRECEDENCE.comparison, null, (a, b) => holds(compareValues(a, b)));
}

function sign(symbol, apply) {
  const precedence = PRECEDENCE.sign;
  return { symbol, fixity: 'prefix', precedence, operandPrecedences: [precedence], convert: toNumber, apply };
}

/** Powers are taken from the right, and the right operand may begin with signs. */
const POWER = {
  symbol: '^',
  fixity: 'infix',
  precedence: PRECEDENCE.power,
  operandPrecedences: [PRECEDENCE.power + 1, PRECEDENCE.sign],
  convert: toNumber,
  apply: (a, b) => a.power(b),
};

const PERCENT = {
  symbol: '%',
  fixity: 'postfix',
  precedence: PRECEDENCE.percent,
  operandPrecedences: [PRECEDENCE.percent],
  convert: toNumber,
  apply: (a) => a.percent(),
};

const bySymbol = (operators) => new Map(operators.map((operator) => [operator.symbol, operator]));

const SIGNS = bySymbol([sign('-', (a) => a.negate()), sign('+', (a) => a)]);

/** The operators between two operands that are taken from the left; they bind less tightly than signs. */
const FROM_LEFT = bySymbol([
  infix('*', PRECEDENCE.product, toNumber, (a, b) => a.multiply(b)),
  infix('/', PRECEDENCE.product, toNumber, (a, b) => a.divide(b)),
  infix('+', PRECEDENCE.sum, toNumber, (a, b) => a.add(b)),
  infix('-', PRECEDENCE.sum, toNumber, (a, b) => a.subtract(b)),
  infix('&', PRECEDENCE.join, toText, (a, b) => a + b),
  ...Object.entries(COMPARISONS).map(([symbol, holds]) => comparison(symbol, holds)),
]);

module.exports = { PRECEDENCE, FROM_LEFT, PERCENT, POWER, SIGNS };
