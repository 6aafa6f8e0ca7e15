'use strict';

const { ERROR_NAMES } = require('./errors');
const { Refusal } = require('./refusal');

/** Thrown for what is no formula. */
class FormulaError extends Refusal {
  constructor(reason) {
    super('formula');
    this.message = reason;
  }
}

const escapeForRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const TOKENS = [
  { type: 'blanks', pattern: / +/y },
  { type: 'literal', pattern: /[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y },
  { type: 'text', pattern: /"(?:[^"]|"")*"/y },
  /** A cell with its sheet's name. */
  { type: 'qualified', pattern: /(?:'(?:[^']|'')*'|[A-Za-z_][A-Za-z0-9_.]*)![A-Za-z$][A-Za-z0-9_.$]*/y },
  /** Names, booleans and cells; which of them it is, and whether it is one at all, the parser finds out. */
  { type: 'word', pattern: /[A-Za-z_$][A-Za-z0-9_.$]*/y },
  { type: 'error', pattern: new RegExp(ERROR_NAMES.map(escapeForRegExp).join('|'), 'y') },
  { type: 'symbol', pattern: /<>|<=|>=|[-+*/^%&=<>(),:]/y },
];

/** What follows the last token. */
const END = { type: 'end', text: '' };

/**
 * @param {string} source
 * @returns {{type: string, text: string}[]} the tokens without the blanks, and END
 * @throws {FormulaError}
 */
function tokenize(source) {
  const tokens = [];
  let position = 0;
  while (position < source.length) {
    const token = tokenAt(source, position);
    position += token.text.length;
    if (token.type !== 'blanks') tokens.push(token);
  }
  tokens.push(END);
  return tokens;
}

function tokenAt(source, position) {
  for (const { type, pattern } of TOKENS) {
    pattern.lastIndex = position;
    const match = pattern.exec(source);
    if (match !== null) return { type, text: match[0] };
  }
  throw new FormulaError(`no token at ${position}`);
}

module.exports = { FormulaError, tokenize };
