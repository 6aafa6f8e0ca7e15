'use strict';

const { isError, VALUE } = require('../errors');
const { EMPTY, toCondition } = require('../values');
const { define } = require('./signature');

/** What conditions give together; #VALUE! if there are none. */
function combine(lists, apply) {
  const conditions = lists.flat();
  return conditions.length === 0 ? VALUE : apply(conditions);
}

module.exports = {
  IF: {
    min: 2,
    max: 3,
    call([condition, whenTrue, whenFalse], evaluator) {
      const holds = toCondition(evaluator.evaluate(condition));
      if (isError(holds)) return holds;
      if (holds) return evaluator.evaluate(whenTrue);
      return whenFalse === undefined ? false : evaluator.evaluate(whenFalse);
    },
  },

  IFERROR: {
    min: 2,
    max: 2,
    call([expression, fallback], evaluator) {
      const value = evaluator.evaluate(expression);
      return isError(value) ? evaluator.evaluate(fallback) : value;
    },
  },

  AND: define('conditions…', (lists) => combine(lists, (conditions) => conditions.every(Boolean))),
  OR: define('conditions…', (lists) => combine(lists, (conditions) => conditions.some(Boolean))),
  NOT: define('condition', (holds) => !holds),
  ISERROR: define('valueOrError', isError),
  ISBLANK: define('valueOrError', (value) => value === EMPTY),
};
