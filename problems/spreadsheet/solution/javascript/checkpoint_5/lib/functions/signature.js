'use strict';

const { Decimal } = require('../decimal');
const { NUM, VALUE, mostSevere } = require('../errors');
const { toCondition, toNumber, toText } = require('../values');

/**
 * The kinds of parameters. Arguments are handled in steps; in each of them, all arguments are handled, and if this gives
 * errors for some of them, the most severe is the result of the call (but kinds may tolerate errors).
 * - read(expression, evaluator): the value of the argument, or what stands for several values
 * - convert(read): what it is converted to
 * - check(converted): what the function gets
 */

const STEPS = ['read', 'convert', 'check'];

const same = (value) => value;

/** A parameter that takes one value. */
function single({ convert = same, check = same, toleratesErrors = false }) {
  return { read: (expression, evaluator) => evaluator.evaluate(expression), convert, check, toleratesErrors };
}

/** A parameter that takes several arguments, each a reference or any value. */
function several({ convert = same, toleratesErrors = false }) {
  function read(expression, evaluator) {
    const argument = readSeveral(expression, evaluator);
    return toleratesErrors ? argument : mostSevere(argument.values) ?? argument;
  }
  return { read, convert, check: same, toleratesErrors };
}

/** @returns {{isReference: boolean, values: any[]}} the value of the argument, or of the cells that are not empty */
function readSeveral(expression, evaluator) {
  const region = evaluator.regionOf(expression);
  if (region === null) return { isReference: false, values: [evaluator.evaluate(expression)] };
  return { isReference: true, values: region.filledValues() };
}

/** Converts what counts to an array: the values of cells if they are `eligible`, and any argument that is no reference. */
function converted({ isReference, values }, eligible, convert) {
  const results = (isReference ? values.filter(eligible) : values).map(convert);
  return mostSevere(results) ?? results;
}

const isNumber = (value) => value instanceof Decimal;
const isNumberOrBoolean = (value) => isNumber(value) || typeof value === 'boolean';

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
  reference: {
    read: (expression, evaluator) => evaluator.regionOf(expression) ?? VALUE,
    convert: same,
    check: same,
    toleratesErrors: false,
  },

  values: several({}),
  valuesOrErrors: several({ toleratesErrors: true }),
  /** The numbers that count, of each argument. */
  numbers: several({ convert: (argument) => converted(argument, isNumber, toNumber) }),
  /** The conditions that count, of each argument. */
  conditions: several({ convert: (argument) => converted(argument, isNumberOrBoolean, toCondition) }),
};

/**
 * A function of which all arguments are evaluated.
 * @param {string} signature the kinds of the parameters, separated by blanks; with `?` for those that may be left out;
 *   the last with `…` if it takes one or more arguments
 * @param {function} apply gives the result for the arguments, undefined for those that are left out; for `…` there is
 *   one array
 */
function define(signature, apply) {
  const parameters = signature.split(' ').map((text) => {
    const [, name, suffix] = /^([A-Za-z]+)([?…]?)$/.exec(text);
    return { kind: KINDS[name], isOptional: suffix === '?', isRepeated: suffix === '…' };
  });
  const last = parameters.length - 1;
  const { isRepeated } = parameters[last];

  function call(expressions, evaluator) {
    const kindOf = (i) => parameters[Math.min(i, last)].kind;
    let args = expressions;
    for (const step of STEPS) {
      args = args.map((arg, i) => kindOf(i)[step](arg, evaluator));
      const error = mostSevere(args.filter((_, i) => !kindOf(i).toleratesErrors));
      if (error !== null) return error;
    }
    return isRepeated ? apply(...args.slice(0, last), args.slice(last)) : apply(...args);
  }

  return {
    min: parameters.filter(({ isOptional }) => !isOptional).length,
    max: isRepeated ? Infinity : parameters.length,
    call,
  };
}

module.exports = { define };
