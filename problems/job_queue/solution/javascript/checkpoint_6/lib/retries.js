"use strict";

const { keyReused } = require("./errors");
const { same } = require("./json");

/** What was answered to requests with a key. */
class Retries {
  constructor(changes) {
    this.changes = changes;
    this.answers = new Map();
  }

  /** The answer to this request's earlier self; undefined if there was none. */
  recall(key, fields) {
    const known = this.answers.get(key);
    if (known && !same(known.fields, fields)) {
      throw keyReused();
    }
    return known?.answer;
  }

  remember(key, fields, answer) {
    if (key !== undefined) {
      this.changes.put(this.answers, key, { fields, answer });
    }
  }
}

module.exports = { Retries };
