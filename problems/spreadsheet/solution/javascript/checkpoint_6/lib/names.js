'use strict';

const { caseFold, compareCodePoints } = require('./casefold');
const { findComponents } = require('./components');
const { forEachItem, mapReferences } = require('./expression');

/** The names that stand for formulas, by their keys. */
class Names {
  constructor() {
    /** { name, formula, results }; the results are { value, version } by modes, see valueOf. */
    this.definitions = new Map();
    /** The keys of the names that lead back to themselves, null if they are not known. */
    this.cyclicKeys = null;
  }

  clone() {
    const names = new Names();
    names.definitions = new Map(this.definitions);
    return names;
  }

  /** Names with the same key are the same. */
  keyOf(name) {
    return caseFold(name);
  }

  has(key) {
    return this.definitions.has(key);
  }

  define(name, formula) {
    this.definitions.set(this.keyOf(name), { name, formula, results: {} });
    this.cyclicKeys = null;
  }

  delete(key) {
    this.definitions.delete(key);
    this.cyclicKeys = null;
  }

  /** @returns {object[] | undefined} the expression that the name stands for */
  formulaOf(key) {
    return this.definitions.get(key)?.formula;
  }

  /** The definitions, by their keys in the order of code points. */
  sorted() {
    const keys = [...this.definitions.keys()].sort(compareCodePoints);
    return keys.map((key) => this.definitions.get(key));
  }

  /** Puts an item `change(reference)` instead of each reference in the formulas; `changeFor(key)` gives the function. */
  changeReferences(changeFor) {
    for (const [key, definition] of this.definitions) {
      definition.formula = mapReferences(definition.formula, changeFor(key));
    }
  }

  /** @returns {boolean} whether the name's formula leads back to the name */
  isCyclic(key) {
    if (this.cyclicKeys === null) this.cyclicKeys = this.findCyclicKeys();
    return this.cyclicKeys.has(key);
  }

  findCyclicKeys() {
    const cyclicKeys = new Set();
    const visits = new Map();
    const collect = (keys, isCycle) => {
      if (isCycle) keys.forEach((key) => cyclicKeys.add(key));
    };
    for (const key of this.definitions.keys()) {
      findComponents(key, (from) => this.keysMentionedBy(from).values(), collect, visits);
    }
    return cyclicKeys;
  }

  /** The keys of defined names in the formula of a name. */
  keysMentionedBy(key) {
    const keys = [];
    forEachItem(this.formulaOf(key), (item) => {
      if (item.type === 'name' && this.has(this.keyOf(item.name))) keys.push(this.keyOf(item.name));
    });
    return keys;
  }

  /**
   * The value of a name that is defined and does not lead back to itself.
   * @param {string} key
   * @param {string} mode how expressions are evaluated
   * @param {number} version of the workbook; the values in a mode are the same as long as it is
   * @param {function} evaluate gives the value of an expression in this mode
   */
  valueOf(key, mode, version, evaluate) {
    // Names can lead to others in long chains, so that evaluating them one within the other would go too deep.
    const isKnown = (candidate) => this.definitions.get(candidate).results[mode]?.version === version;
    const isPending = (candidate) => !isKnown(candidate) && !this.isCyclic(candidate);
    const stack = [key];
    while (stack.length > 0) {
      const next = stack[stack.length - 1];
      const pending = isKnown(next) ? undefined : this.keysMentionedBy(next).find(isPending);
      if (pending !== undefined) {
        stack.push(pending);
      } else {
        stack.pop();
        const definition = this.definitions.get(next);
        if (!isKnown(next)) definition.results[mode] = { value: evaluate(definition.formula), version };
      }
    }
    return this.definitions.get(key).results[mode].value;
  }
}

module.exports = { Names };
