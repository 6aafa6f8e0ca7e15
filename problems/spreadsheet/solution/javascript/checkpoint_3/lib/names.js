'use strict';

const { caseFold, compareCodePoints } = require('./casefold');
const { mapReferences } = require('./cell');
const { findComponents } = require('./components');
const { itemsOf } = require('./expression');

/** The names that stand for formulas, by their keys. */
class Names {
  constructor() {
    /** { name, formula, value, version }; the value is that of a version of the workbook. */
    this.definitions = new Map();
    /** The keys of the names that lead back to themselves, null if they are not known. */
    this.cyclicKeys = null;
  }

  /** Names with the same key are the same. */
  keyOf(name) {
    return caseFold(name);
  }

  has(key) {
    return this.definitions.has(key);
  }

  define(name, formula) {
    this.definitions.set(this.keyOf(name), { name, formula, value: undefined, version: null });
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

  /** Puts an item `change(reference)` instead of each reference in the formulas. */
  changeReferences(change) {
    for (const definition of this.definitions.values()) {
      definition.formula = mapReferences(definition.formula, change);
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
      findComponents(key, (from) => this.keysMentionedBy(from), collect, visits);
    }
    return cyclicKeys;
  }

  /** The keys of defined names in the formula of a name. */
  *keysMentionedBy(key) {
    for (const item of itemsOf(this.formulaOf(key))) {
      if (item.type !== 'name') continue;
      const mentioned = this.keyOf(item.name);
      if (this.has(mentioned)) yield mentioned;
    }
  }

  /**
   * The value of a name that is defined and does not lead back to itself.
   * @param {string} key
   * @param {number} version of the workbook; the values of the names are the same as long as it is
   * @param {function} evaluate gives the value of an expression
   */
  valueOf(key, version, evaluate) {
    // Names can lead to others in long chains, so that evaluating them one within the other would go too deep.
    const stack = [key];
    while (stack.length > 0) {
      const next = stack[stack.length - 1];
      const definition = this.definitions.get(next);
      const pending = definition.version === version ? undefined : this.pendingKey(next, version);
      if (pending !== undefined) {
        stack.push(pending);
      } else {
        stack.pop();
        if (definition.version !== version) definition.value = evaluate(definition.formula);
        definition.version = version;
      }
    }
    return this.definitions.get(key).value;
  }

  /** @returns {string | undefined} a name in the formula of a name that has to be evaluated before */
  pendingKey(key, version) {
    for (const mentioned of this.keysMentionedBy(key)) {
      if (this.definitions.get(mentioned).version !== version && !this.isCyclic(mentioned)) return mentioned;
    }
    return undefined;
  }
}

module.exports = { Names };
