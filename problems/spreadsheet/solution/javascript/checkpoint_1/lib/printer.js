'use strict';

const { cellName } = require('./address');
const { PRECEDENCE } = require('./operators');
const { showValue } = require('./values');

/** An expression without blanks and without needless parentheses. */
function printExpression(expression) {
  const stack = [];
  for (const item of expression) {
    if (item.type === 'operator') {
      const { operator } = item;
      const operands = stack.splice(-operator.operandPrecedences.length);
      stack.push({ text: printOperation(operator, operands), precedence: operator.precedence });
    } else {
      stack.push({ text: printOperand(item), precedence: PRECEDENCE.operand });
    }
  }
  return stack[0].text;
}

function printOperation({ symbol, fixity, operandPrecedences }, operands) {
  const texts = operands.map(({ text, precedence }, i) => (precedence < operandPrecedences[i] ? `(${text})` : text));
  switch (fixity) {
    case 'prefix':
      return symbol + texts[0];
    case 'postfix':
      return texts[0] + symbol;
    default:
      return texts[0] + symbol + texts[1];
  }
}

function printOperand(item) {
  switch (item.type) {
    case 'constant':
      return showValue(item.value);
    case 'cell':
      return cellName(item);
    case 'name':
      return item.name;
    case 'call':
      return `${item.name}(${item.args.map(printExpression).join(',')})`;
    default:
      throw new Error(`unknown item ${item.type}`);
  }
}

module.exports = { printExpression };
