'use strict';

const { parseCell } = require('./address');
const { parseBoolean } = require('./values');

const NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

/** @returns {boolean} whether `text` is a name: what can be read as a boolean or a cell is none */
function isName(text) {
  return NAME.test(text) && parseBoolean(text) === null && parseCell(text) === null;
}

module.exports = { isName };
