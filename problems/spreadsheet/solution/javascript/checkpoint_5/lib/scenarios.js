'use strict';

const { caseFold, compareCodePoints } = require('./casefold');
const { Overlay } = require('./overlay');

/** The scenarios: { name, changes }, by their keys; the changes are an Overlay. */
class Scenarios {
  constructor() {
    this.byKey = new Map();
  }

  /** @returns {object | undefined} */
  get(name) {
    return this.byKey.get(caseFold(name));
  }

  /** The scenario of this name, which begins if it is not there yet. */
  getOrBegin(name) {
    const key = caseFold(name);
    if (!this.byKey.has(key)) this.byKey.set(key, { name, changes: new Overlay() });
    return this.byKey.get(key);
  }

  drop(scenario) {
    this.byKey.delete(caseFold(scenario.name));
  }

  all() {
    return [...this.byKey.values()];
  }

  /** The names, by their keys in the order of code points. */
  sortedNames() {
    return [...this.byKey.keys()].sort(compareCodePoints).map((key) => this.byKey.get(key).name);
  }
}

module.exports = { Scenarios };
