'use strict';

/**
 * An expression is a list of items in postfix order: an operator stands behind its operands, and parentheses are not
 * needed. So nothing that walks through an expression has to be recursive, but for the arguments of calls.
 *
 * Items are
 * - { type: 'constant', value }
 * - { type: 'cell', row, column, isRowFixed, isColumnFixed } and { type: 'range', first, last }, see references.js
 * - { type: 'name', name }, the name as written
 * - { type: 'call', name, args }, the name in capitals, the arguments as expressions
 * - { type: 'operator', operator }, see operators.js
 */

const constant = (value) => ({ type: 'constant', value });
const name = (text) => ({ type: 'name', name: text });
const call = (functionName, args) => ({ type: 'call', name: functionName, args });
const operation = (operator) => ({ type: 'operator', operator });

/** All items of an expression, those of arguments included. */
function* itemsOf(expression) {
  for (const item of expression) {
    yield item;
    if (item.type === 'call') {
      for (const arg of item.args) yield* itemsOf(arg);
    }
  }
}

/** The expression with `change(item)` instead of each item; calls only have the items of their arguments changed. */
function mapItems(expression, change) {
  return expression.map((item) => {
    if (item.type !== 'call') return change(item);
    return call(
      item.name,
      item.args.map((arg) => mapItems(arg, change)),
    );
  });
}

module.exports = { constant, name, call, operation, itemsOf, mapItems };
