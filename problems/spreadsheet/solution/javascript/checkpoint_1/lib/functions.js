'use strict';

const { isError } = require('./errors');
const { toCondition } = require('./values');

/**
 * The functions, by their names in capitals. A call with fewer than `min` or more than `max` arguments is no formula.
 * `call` gets the arguments as expressions, and `evaluate`, which gives the value of one: it evaluates what it needs.
 */
const FUNCTIONS = new Map(
  Object.entries({
    IF: {
      min: 3,
      max: 3,
      call([condition, whenTrue, whenFalse], evaluate) {
        const holds = toCondition(evaluate(condition));
        if (isError(holds)) return holds;
        return evaluate(holds ? whenTrue : whenFalse);
      },
    },

    IFERROR: {
      min: 2,
      max: 2,
      call([expression, fallback], evaluate) {
        const value = evaluate(expression);
        return isError(value) ? evaluate(fallback) : value;
      },
    },
  }),
);

module.exports = { FUNCTIONS };
