'use strict';

const { ArrayValue, placeByPlace } = require('../arrayvalue');
const { isError, VALUE } = require('../errors');
const { constant } = require('../expression');
const { EMPTY, toCondition } = require('../values');
const { define } = require('./signature');

/** What conditions give together; #VALUE! if there are none. */
function combine(lists, apply) {
  const conditions = lists.flat();
  return conditions.length === 0 ? VALUE : apply(conditions);
}

/** What IF chooses for a single value as the condition; the error if it is one, or is none. */
function choose([condition, whenTrue, whenFalse]) {
  const holds = toCondition(condition);
  if (isError(holds)) return holds;
  return holds ? whenTrue : whenFalse;
}

module.exports = {
  IF: {
    min: 2,
    max: 3,
    call([condition, whenTrue, whenFalse = [constant(false)]], evaluator) {
      const value = evaluator.evaluate(condition);
      if (value instanceof ArrayValue) {
        return placeByPlace([value, evaluator.evaluate(whenTrue), evaluator.evaluate(whenFalse)], choose);
      }
      const chosen = choose([value, whenTrue, whenFalse]);
      return isError(chosen) ? chosen : evaluator.evaluate(chosen);
    },
  },

  IFERROR: {
    min: 2,
    max: 2,
    call([expression, fallback], evaluator) {
      const value = evaluator.evaluate(expression);
      if (value instanceof ArrayValue) {
        return placeByPlace([value, evaluator.evaluate(fallback)], ([a, b]) => (isError(a) ? b : a));
      }
      return isError(value) ? evaluator.evaluate(fallback) : value;
    },
  },

  AND: define('conditions…', (lists) => combine(lists, (conditions) => conditions.every(Boolean))),
  OR: define('conditions…', (lists) => combine(lists, (conditions) => conditions.some(Boolean))),
  NOT: define('condition', (holds) => !holds),
  ISERROR: define('valueOrError', isError),
  ISBLANK: define('valueOrError', (value) => value === EMPTY),
};
