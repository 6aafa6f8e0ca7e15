'use strict';

const { ArrayValue, placeByPlace } = require('../arrayvalue');
const { Decimal } = require('../decimal');
const { NUM, VALUE, mostSevere } = require('../errors');
const { EMPTY, toCondition, toNumber, toText } = require('../values');

/**
 * The kinds of parameters. Arguments are handled in steps; in each of them, all arguments are handled, and if this gives
 * errors for some of them, the most severe is the result of the call (but kinds may tolerate errors).
 * - read(expression, evaluator): the value of the argument, or what stands for several values
 * - convert(read): what it is converted to
 * - check(converted): what the function gets
 */

const same = (value) => value;
const evaluate = (expression, evaluator) => evaluator.evaluate(expression);

/** A parameter that takes one value. If `read` gives an array value, the function is called for each place. */
function single({ read = evaluate, convert = same, check = same, toleratesErrors = false }) {
  return { read, convert, check, toleratesErrors };
}

/** A parameter that takes several arguments, each a reference or any value. */
function several({ convert = same, toleratesErrors = false }) {
  function read(expression, evaluator) {
    const argument = readSeveral(expression, evaluator);
    return toleratesErrors ? argument : mostSevere(argument.values) ?? argument;
  }
  return { read, convert, check: same, toleratesErrors };
}

/**
 * @returns {{isReference: boolean, values: any[]}} the value of the argument, or of the cells that are not empty; array
 *   values are taken as references with these values would be
 */
function readSeveral(expression, evaluator) {
  const region = evaluator.regionOf(expression);
  if (region !== null) return { isReference: true, values: region.filledValues() };
  const value = evaluator.evaluate(expression);
  if (!(value instanceof ArrayValue)) return { isReference: false, values: [value] };
  return { isReference: true, values: value.values.filter((element) => element !== EMPTY) };
}

/** Converts what counts to an array: the values of cells if they are `eligible`, and any argument that is no reference. */
function converted({ isReference, values }, eligible, convert) {
  const results = (isReference ? values.filter(eligible) : values).map(convert);
  return mostSevere(results) ?? results;
}

const isNumber = (value) => value instanceof Decimal;
const isNumberOrBoolean = (value) => isNumber(value) || typeof value === 'boolean';

/** Reads a value where an array value is none. */
function readSingle(expression, evaluator) {
  const value = evaluator.evaluate(expression);
  return value instanceof ArrayValue ? VALUE : value;
}

/** Whole numbers from `least` on, as JavaScript numbers. */
function wholeFrom(least) {
  return (number) => {
    if (!number.isWhole()) return VALUE;
    const integer = number.toInteger();
    return integer < least ? VALUE : integer;
  };
}

const MAX_DECIMALS = 100;

/** Numbers of decimals to round to. */
function wholeDecimals(number) {
  if (!number.isWhole()) return NUM;
  const integer = number.toInteger();
  return Math.abs(integer) > MAX_DECIMALS ? NUM : integer;
}

const KINDS = {
  value: single({}),
  valueOrError: single({ toleratesErrors: true }),
  number: single({ convert: toNumber }),
  text: single({ convert: toText }),
  condition: single({ convert: toCondition }),

  /** A place, row or column, counted from 1. */
  place: single({ convert: toNumber, check: wholeFrom(1) }),
  /** A number of characters. */
  length: single({ convert: toNumber, check: wholeFrom(0) }),
  decimals: single({ convert: toNumber, check: wholeDecimals }),

  /** A region; anything but a reference is not even evaluated. */
  reference: single({ read: (expression, evaluator) => evaluator.regionOf(expression) ?? VALUE }),

  values: several({}),
  valuesOrErrors: several({ toleratesErrors: true }),
  /** The numbers that count, of each argument. */
  numbers: several({ convert: (argument) => converted(argument, isNumber, toNumber) }),
  /** The conditions that count, of each argument. */
  conditions: several({ convert: (argument) => converted(argument, isNumberOrBoolean, toCondition) }),

  /** For functions of array values only: an array value, a row or column number or a size, and any number. */
  array: single({ convert: ArrayValue.from }),
  singlePlace: single({ read: readSingle, convert: toNumber, check: wholeFrom(1) }),
  singleNumber: single({ read: readSingle, convert: toNumber }),
};

/**
 * A function of which all arguments are evaluated.
 * @param {string} signature the kinds of the parameters, separated by blanks; with `?` for those that may be left out;
 *   the last with `…` if it takes one or more arguments
 * @param {function} apply gives the result for the arguments, undefined for those that are left out; for `…` there is
 *   one array
 */
function define(signature, apply) {
  const { min, max, read, finish } = parseSignature(signature, apply);
  return { min, max, call: (expressions, evaluator) => placeByPlace(read(expressions, evaluator), finish) };
}

/** Like `define`, for a function that gets array values; in formulas that cannot have them, it is `#VALUE!`. */
function defineForArrays(signature, apply) {
  const { min, max, read, finish } = parseSignature(signature, apply);
  return {
    min,
    max,
    call: (expressions, evaluator) => (evaluator.isForArrays ? finish(read(expressions, evaluator)) : VALUE),
  };
}

/**
 * @returns {{min: number, max: number, read: function, finish: function}} the least and the greatest number of
 *   arguments, the first step for all arguments, and the others and the result for what it gave
 */
function parseSignature(signature, apply) {
  const parameters = signature.split(' ').map((text) => {
    const [, name, suffix] = /^([A-Za-z]+)([?…]?)$/.exec(text);
    return { kind: KINDS[name], isOptional: suffix === '?', isRepeated: suffix === '…' };
  });
  const last = parameters.length - 1;
  const { isRepeated } = parameters[last];
  const kindOf = (i) => parameters[Math.min(i, last)].kind;
  const errorIn = (args) => mostSevere(args.filter((_, i) => !kindOf(i).toleratesErrors));

  function finish(read) {
    let args = read;
    let error = errorIn(args);
    for (const step of ['convert', 'check']) {
      if (error !== null) return error;
      args = args.map((arg, i) => kindOf(i)[step](arg));
      error = errorIn(args);
    }
    if (error !== null) return error;
    return isRepeated ? apply(...args.slice(0, last), args.slice(last)) : apply(...args);
  }

  return {
    min: parameters.filter(({ isOptional }) => !isOptional).length,
    max: isRepeated ? Infinity : parameters.length,
    read: (expressions, evaluator) => expressions.map((expression, i) => kindOf(i).read(expression, evaluator)),
    finish,
  };
}

module.exports = { define, defineForArrays };
