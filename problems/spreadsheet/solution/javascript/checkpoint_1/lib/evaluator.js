'use strict';

const { Decimal } = require('./decimal');
const { NAME, mostSevere } = require('./errors');
const { FUNCTIONS } = require('./functions');
const { EMPTY } = require('./values');

/** Evaluates expressions. */
class Evaluator {
  /** @param {function} valueOfCell gives the value of the cell at {row, column}, EMPTY if it is empty */
  constructor(valueOfCell) {
    this.valueOfCell = valueOfCell;
    this.evaluate = this.evaluate.bind(this);
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

  valueOfOperand(item) {
    switch (item.type) {
      case 'constant':
        return item.value;
      case 'cell':
        return this.valueOfCell(item);
      case 'name':
        return NAME;
      case 'call': {
        const definition = FUNCTIONS.get(item.name);
        return definition === undefined ? NAME : definition.call(item.args, this.evaluate);
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
