'use strict';

const { Decimal } = require('./decimal');
const { VALUE, errorNamed, isError } = require('./errors');

/**
 * Values are
 * - numbers (Decimal), texts (string), booleans (boolean) and errors (ErrorValue), and
 * - within formulas EMPTY, the value of an empty cell.
 */
const EMPTY = Symbol('empty');

const BOOLEAN = /^(?:true|false)$/i;

/** @returns {boolean | null} null if `text` is no boolean */
function parseBoolean(text) {
  return BOOLEAN.test(text) ? text.length === 4 : null;
}

/** The value of a content that is no formula. */
function valueOfContent(content) {
  if (content.startsWith("'")) return content.slice(1);
  return parseBoolean(content) ?? errorNamed(content) ?? Decimal.fromSignedLiteral(content) ?? content;
}

/** A value as `get` shows it. */
function showValue(value) {
  if (value === EMPTY) return 'empty';
  if (typeof value === 'string') return `"${value.replaceAll('"', '""')}"`;
  return plainText(value);
}

/** A value that is no text, as it is shown. */
function plainText(value) {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (isError(value)) return value.name;
  return value.toString();
}

/** @returns {Decimal | ErrorValue} what arithmetic takes the value for */
function toNumber(value) {
  if (value instanceof Decimal || isError(value)) return value;
  if (value === EMPTY) return Decimal.ZERO;
  if (typeof value === 'boolean') return value ? Decimal.ONE : Decimal.ZERO;
  return Decimal.fromSignedLiteral(value) ?? VALUE;
}

/** @returns {string | ErrorValue} what `&` takes the value for */
function toText(value) {
  if (typeof value === 'string' || isError(value)) return value;
  return value === EMPTY ? '' : plainText(value);
}

/** @returns {boolean | ErrorValue} whether the value holds as a condition */
function toCondition(value) {
  if (typeof value === 'boolean' || isError(value)) return value;
  if (value === EMPTY) return false;
  return value instanceof Decimal ? !value.isZero() : VALUE;
}

module.exports = { EMPTY, parseBoolean, valueOfContent, showValue, toNumber, toText, toCondition };
