'use strict';

const { PRECEDENCE } = require('./operators');
const { showReference } = require('./references');
const { showValue } = require('./values');

/** An expression without blanks and without needless parentheses; `spell` gives the spelling of a sheet's name. */
function printExpression(expression, spell) {
  const stack = [];
  for (const item of expression) {
    if (item.type === 'operator') {
      const { operator } = item;
      const operands = stack.splice(-operator.operandPrecedences.length);
      stack.push({ text: printOperation(operator, operands), precedence: operator.precedence });
    } else {
      stack.push({ text: printOperand(item, spell), precedence: PRECEDENCE.operand });
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

function printOperand(item, spell) {
  switch (item.type) {
    case 'constant':
      return showValue(item.value);
    case 'cell':
    case 'range':
      return showReference(item, spell);
    case 'name':
      return item.name;
    case 'call':
      return `${item.name}(${item.args.map((arg) => printExpression(arg, spell)).join(',')})`;
    default:
      throw new Error(`unknown item ${item.type}`);
  }
}

module.exports = { printExpression };
