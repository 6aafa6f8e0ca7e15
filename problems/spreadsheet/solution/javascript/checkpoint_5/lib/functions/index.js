'use strict';

/**
 * All functions, by their names in capitals: { min, max, call }. A call with fewer than `min` or more than `max`
 * arguments is no formula. `call` gets the arguments as expressions, and the evaluator. See signature.js for functions
 * of which all arguments are evaluated.
 */
const FUNCTIONS = new Map(
  Object.entries({
    ...require('./logic'),
    ...require('./numbers'),
    ...require('./texts'),
    ...require('./lookup'),
  }),
);

module.exports = { FUNCTIONS };
