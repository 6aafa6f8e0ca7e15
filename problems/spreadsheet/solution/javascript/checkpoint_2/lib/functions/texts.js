'use strict';

const { indexOf, lengthOf, slice } = require('../codepoints');
const { Decimal } = require('../decimal');
const { NA } = require('../errors');
const { EMPTY, toText } = require('../values');
const { define } = require('./signature');

function right(text, length = 1) {
  return slice(text, Math.max(0, lengthOf(text) - length));
}

function find(sought, text, place = 1) {
  const index = indexOf(text, sought, place - 1);
  return index < 0 ? NA : Decimal.fromInteger(index + 1);
}

function substitute(text, old, replacement) {
  return old === '' ? text : text.split(old).join(replacement);
}

function textJoin(separator, args) {
  const values = args.flatMap((argument) => argument.values);
  return values
    .filter((value) => value !== EMPTY)
    .map(toText)
    .join(separator);
}

module.exports = {
  LEN: define('text', (text) => Decimal.fromInteger(lengthOf(text))),
  LEFT: define('text length?', (text, length = 1) => slice(text, 0, length)),
  RIGHT: define('text length?', right),
  MID: define('text place length', (text, place, length) => slice(text, place - 1, place - 1 + length)),
  UPPER: define('text', (text) => text.toUpperCase()),
  LOWER: define('text', (text) => text.toLowerCase()),
  FIND: define('text text place?', find),
  SUBSTITUTE: define('text text text', substitute),
  EXACT: define('text text', (a, b) => a === b),
  TEXTJOIN: define('text values…', textJoin),
};
