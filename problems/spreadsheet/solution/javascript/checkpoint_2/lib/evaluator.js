'use strict';

const { Decimal } = require('./decimal');
const { NAME, VALUE, mostSevere } = require('./errors');
const { FUNCTIONS } = require('./functions');
const { areaOf, isReference } = require('./references');
const { Region } = require('./region');
const { EMPTY } = require('./values');

/** Evaluates expressions. */
class Evaluator {
  /** @param {Grid} grid the cells that are referred to; they must not be stale */
  constructor(grid) {
    this.grid = grid;
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
    if (expression.length !== 1 || !isReference(expression[0])) return null;
    return new Region(this.grid, areaOf(expression[0]));
  }

  valueOfOperand(item) {
    switch (item.type) {
      case 'constant':
        return item.value;
      case 'cell':
        return this.grid.get(item)?.value ?? EMPTY;
      case 'range':
        return VALUE;
      case 'name':
        return NAME;
      case 'call': {
        const definition = FUNCTIONS.get(item.name);
        return definition === undefined ? NAME : definition.call(item.args, this);
      }
      default:
        throw new Error(`unknown item ${item.type}`);
    }
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
