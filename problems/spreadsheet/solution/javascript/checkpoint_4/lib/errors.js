'use strict';

/** An error as a value of a cell. There is one instance for each error, so they can be compared with `===`. */
class ErrorValue {
  /**
   * @param {string} name how the error is written
   * @param {number} rank 0 for the most severe error
   */
  constructor(name, rank) {
    this.name = name;
    this.rank = rank;
  }
}

/** The names of all errors, the most severe first. */
const ERROR_NAMES = ['#CYCLE!', '#REF!', '#NAME?', '#VALUE!', '#DIV/0!', '#NUM!', '#N/A'];

const errorsByName = new Map(ERROR_NAMES.map((name, rank) => [name, new ErrorValue(name, rank)]));

/** @returns {ErrorValue | undefined} the error that is written like `name` */
function errorNamed(name) {
  return errorsByName.get(name);
}

function isError(value) {
  return value instanceof ErrorValue;
}

/** @returns {ErrorValue | null} the most severe of the errors among `values`, null if there is none */
function mostSevere(values) {
  let worst = null;
  for (const value of values) {
    if (isError(value) && (worst === null || value.rank < worst.rank)) worst = value;
  }
  return worst;
}

module.exports = {
  ERROR_NAMES,
  ErrorValue,
  errorNamed,
  isError,
  mostSevere,
  CYCLE: errorNamed('#CYCLE!'),
  REF: errorNamed('#REF!'),
  NAME: errorNamed('#NAME?'),
  VALUE: errorNamed('#VALUE!'),
  DIV0: errorNamed('#DIV/0!'),
  NUM: errorNamed('#NUM!'),
  NA: errorNamed('#N/A'),
};
