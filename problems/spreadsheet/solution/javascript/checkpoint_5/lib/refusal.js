'use strict';

/** Thrown for what cannot be done; nothing must have been changed then. */
class Refusal extends Error {
  /** @param {string} code the code of the `error` answer */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

module.exports = { Refusal };
