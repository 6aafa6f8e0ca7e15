'use strict';

const { Decimal } = require('./decimal');
const { CYCLE, NAME, REF, VALUE, mostSevere } = require('./errors');
const { FUNCTIONS } = require('./functions');
const { areaOf, isReference } = require('./references');
const { Region } = require('./region');
const { EMPTY } = require('./values');

/** Evaluates the expressions on a sheet. None of the cells that they mention must be stale. */
class Evaluator {
  /** @param {number} version of the workbook: the values of names are the same as long as it is */
  constructor(workbook, sheet, version) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.version = version;
  }

  /** The value of a cell with this formula; never EMPTY. */
  valueOfFormula(expression) {
    const value = this.evaluate(expression);
    return value === EMPTY ? Decimal.ZERO : value;
  }

  evaluate(expression) {
    const stack = [];
    for (const item of expression) {
      if (item.type === 'operator') {
        const { operator } = item;
        const operands = stack.splice(-operator.operandPrecedences.length);
        stack.push(applyOperator(operator, operands));
      } else {
        stack.push(this.valueOfOperand(item));
      }
    }
    return stack[0];
  }

  /** @returns {Region | null} the region that an expression refers to, null if it is no reference */
  regionOf(expression) {
    const { names } = this.workbook;
    let current = expression;
    for (;;) {
      if (current.length !== 1) return null;
      const [item] = current;
      if (isReference(item)) {
        const sheet = this.workbook.sheetOf(item, this.sheet);
        return sheet === undefined ? null : new Region(sheet.grid, areaOf(item));
      }
      if (item.type !== 'name') return null;
      const key = names.keyOf(item.name);
      if (!names.has(key) || names.isCyclic(key)) return null;
      current = names.formulaOf(key);
    }
  }

  valueOfOperand(item) {
    switch (item.type) {
      case 'constant':
        return item.value;
      case 'cell': {
        const sheet = this.workbook.sheetOf(item, this.sheet);
        return sheet === undefined ? REF : sheet.grid.get(item.corner)?.value ?? EMPTY;
      }
      case 'range':
        return this.workbook.sheetOf(item, this.sheet) === undefined ? REF : VALUE;
      case 'name':
        return this.valueOfName(item.name);
      case 'call': {
        const definition = FUNCTIONS.get(item.name);
        return definition === undefined ? NAME : definition.call(item.args, this);
      }
      default:
        throw new Error(`unknown item ${item.type}`);
    }
  }

  /** The value of a name's formula. All references in it name their sheets, so it is the same on every sheet. */
  valueOfName(name) {
    const { names } = this.workbook;
    const key = names.keyOf(name);
    if (!names.has(key)) return NAME;
    if (names.isCyclic(key)) return CYCLE;
    return names.valueOf(key, this.version, (formula) => this.evaluate(formula));
  }
}

function applyOperator({ convert, apply }, operands) {
  const error = mostSevere(operands);
  if (error !== null) return error;
  if (convert === null) return apply(...operands);
  const converted = operands.map(convert);
  return mostSevere(converted) ?? apply(...converted);
}

module.exports = { Evaluator };
