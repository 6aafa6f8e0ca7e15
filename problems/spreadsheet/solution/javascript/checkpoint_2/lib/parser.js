'use strict';

const { Decimal } = require('./decimal');
const { errorNamed } = require('./errors');
const { constant, name, call, operation } = require('./expression');
const { FUNCTIONS } = require('./functions');
const { FormulaError, tokenize } = require('./lexer');
const { FROM_LEFT, PERCENT, POWER, PRECEDENCE, SIGNS } = require('./operators');
const { cellReference, parseCorner, rangeReference } = require('./references');
const { parseBoolean } = require('./values');

/** The most characters (code points) of a formula. */
const MAX_LENGTH = 4000;
/** How deep parentheses (those of calls, too) may be nested. */
const MAX_DEPTH = 250;
/** The most arguments of a call. */
const MAX_ARGUMENTS = 255;

const NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

/** Reads tokens and appends the items of what it read to `output`. */
class Parser {
  constructor(tokens) {
    this.tokens = tokens;
    this.position = 0;
    this.depth = 0;
    this.output = [];
  }

  formula() {
    this.expression();
    if (this.token.type !== 'end') throw new FormulaError(`unexpected ${this.token.text}`);
    return this.output;
  }

  /** An expression whose operators have at least this precedence (as far as they are outside of parentheses). */
  expression(precedence = PRECEDENCE.comparison) {
    this.signedPower();
    for (;;) {
      const operator = this.symbolIn(FROM_LEFT);
      if (operator === undefined || operator.precedence < precedence) return;
      this.position += 1;
      this.expression(operator.precedence + 1);
      this.output.push(operation(operator));
    }
  }

  /** Signs, an operand, and any number of `^`, signs and an operand. */
  signedPower() {
    const operators = [];
    do {
      operators.push(...this.signs());
      this.operand();
      operators.push(POWER);
    } while (this.skipSymbol(POWER.symbol));
    operators.pop();
    while (operators.length > 0) this.output.push(operation(operators.pop()));
  }

  signs() {
    const signs = [];
    for (;;) {
      const sign = this.symbolIn(SIGNS);
      if (sign === undefined) return signs;
      this.position += 1;
      signs.push(sign);
    }
  }

  /** An operand with any number of `%`. */
  operand() {
    const token = this.next();
    switch (token.type) {
      case 'literal':
        this.output.push(constant(Decimal.fromLiteral(token.text)));
        break;
      case 'text':
        this.output.push(constant(token.text.slice(1, -1).replaceAll('""', '"')));
        break;
      case 'error':
        this.output.push(constant(errorNamed(token.text)));
        break;
      case 'word':
        this.output.push(this.word(token.text));
        break;
      default:
        if (token.text !== '(') throw new FormulaError(`operand expected, found ${token.text}`);
        this.parenthesized(() => this.expression());
    }
    while (this.skipSymbol(PERCENT.symbol)) this.output.push(operation(PERCENT));
  }

  word(text) {
    const boolean = parseBoolean(text);
    if (boolean !== null) return constant(boolean);
    const corner = parseCorner(text);
    if (corner !== null) return this.reference(corner);
    if (!NAME.test(text)) throw new FormulaError(`no name: ${text}`);
    return this.skipSymbol('(') ? this.call(text.toUpperCase()) : name(text);
  }

  /** The rest of a reference, after its first corner. */
  reference(corner) {
    if (!this.skipSymbol(':')) return cellReference(corner);
    const token = this.next();
    const opposite = token.type === 'word' ? parseCorner(token.text) : null;
    if (opposite === null) throw new FormulaError(`cell expected, found ${token.text}`);
    return rangeReference(corner, opposite);
  }

  /** The rest of a call, after its opening parenthesis. */
  call(functionName) {
    const args = this.parenthesized(() => this.args());
    const definition = FUNCTIONS.get(functionName);
    const { min, max } = definition ?? { min: 0, max: MAX_ARGUMENTS };
    if (args.length < min || args.length > Math.min(max, MAX_ARGUMENTS)) {
      throw new FormulaError(`${functionName} with ${args.length} arguments`);
    }
    return call(functionName, args);
  }

  args() {
    if (this.isAtSymbol(')')) return [];
    const args = [];
    do args.push(this.arg());
    while (this.skipSymbol(','));
    return args;
  }

  /** An expression that gets an output of its own. */
  arg() {
    const { output } = this;
    this.output = [];
    this.expression();
    const arg = this.output;
    this.output = output;
    return arg;
  }

  /** What `parse` reads after an opening parenthesis, and the closing one. */
  parenthesized(parse) {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new FormulaError('nested too deep');
    const result = parse();
    if (!this.skipSymbol(')')) throw new FormulaError(`) expected, found ${this.token.text}`);
    this.depth -= 1;
    return result;
  }

  get token() {
    return this.tokens[this.position];
  }

  next() {
    const { token } = this;
    this.position += 1;
    return token;
  }

  isAtSymbol(symbol) {
    return this.token.type === 'symbol' && this.token.text === symbol;
  }

  skipSymbol(symbol) {
    const isThere = this.isAtSymbol(symbol);
    if (isThere) this.position += 1;
    return isThere;
  }

  /** @returns {object | undefined} the operator among `operators` that the current token is */
  symbolIn(operators) {
    return this.token.type === 'symbol' ? operators.get(this.token.text) : undefined;
  }
}

/** @returns {boolean} whether `text` has more than `limit` characters (code points) */
function isLongerThan(text, limit) {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || [...text].length > limit;
}

/**
 * @param {string} source what follows the `=`
 * @returns {object[]} the formula as an expression (see expression.js)
 * @throws {FormulaError}
 */
function parseFormula(source) {
  if (isLongerThan(source, MAX_LENGTH)) throw new FormulaError('too long');
  return new Parser(tokenize(source)).formula();
}

module.exports = { parseFormula };
