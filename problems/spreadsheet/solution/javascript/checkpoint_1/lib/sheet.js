'use strict';

const { cellKey, cellOfKey } = require('./address');
const { CYCLE } = require('./errors');
const { Evaluator } = require('./evaluator');
const { itemsOf } = require('./expression');
const { parseFormula } = require('./parser');
const { printExpression } = require('./printer');
const { EMPTY, showValue, valueOfContent } = require('./values');

/**
 * What a cell that is not empty holds. A cell with a formula is stale as long as its value is not known; all cells that
 * depend on a stale cell are stale.
 */
class Cell {
  constructor(formula, value) {
    /** The formula as an expression, null if the cell has none. */
    this.formula = formula;
    this.value = value;
    this.isStale = formula !== null;
    /** The keys of the cells that the formula mentions. */
    this.precedents = formula === null ? [] : mentionedKeys(formula);
  }

  /** @throws {FormulaError} */
  static ofContent(content) {
    if (content.startsWith('=')) return new Cell(parseFormula(content.slice(1)), undefined);
    return new Cell(null, valueOfContent(content));
  }
}

function mentionedKeys(formula) {
  const keys = new Set();
  for (const item of itemsOf(formula)) {
    if (item.type === 'cell') keys.add(cellKey(item));
  }
  return [...keys];
}

class Sheet {
  constructor() {
    /** The cells that are not empty, by their keys. */
    this.cells = new Map();
    /** For each cell that formulas mention, by its key: the set of the keys of the cells with these formulas. */
    this.dependents = new Map();
    this.evaluator = new Evaluator((address) => this.currentValue(cellKey(address)));
  }

  /** @throws {FormulaError} */
  set(address, content) {
    this.replace(cellKey(address), Cell.ofContent(content));
  }

  clear(address) {
    this.replace(cellKey(address), undefined);
  }

  /** @returns the cell's value, EMPTY if it is empty */
  valueAt(address) {
    const key = cellKey(address);
    const cell = this.cells.get(key);
    if (cell === undefined) return EMPTY;
    if (cell.isStale) this.calculate(key);
    return cell.value;
  }

  /** @returns {string | null} what the cell holds, null if it is empty */
  sourceAt(address) {
    const cell = this.cells.get(cellKey(address));
    if (cell === undefined) return null;
    return cell.formula === null ? showValue(cell.value) : '=' + printExpression(cell.formula);
  }

  /** The addresses of the cells that are not empty, row by row, in a row from the left. */
  addresses() {
    return [...this.cells.keys()].sort((a, b) => a - b).map(cellOfKey);
  }

  replace(key, cell) {
    const old = this.cells.get(key);
    if (old !== undefined) {
      for (const precedent of old.precedents) this.removeDependent(precedent, key);
    }
    if (cell === undefined) {
      this.cells.delete(key);
    } else {
      this.cells.set(key, cell);
      for (const precedent of cell.precedents) this.addDependent(precedent, key);
    }
    this.makeDependentsStale(key);
  }

  addDependent(precedent, key) {
    const keys = this.dependents.get(precedent);
    if (keys === undefined) this.dependents.set(precedent, new Set([key]));
    else keys.add(key);
  }

  removeDependent(precedent, key) {
    const keys = this.dependents.get(precedent);
    keys.delete(key);
    if (keys.size === 0) this.dependents.delete(precedent);
  }

  makeDependentsStale(key) {
    const changed = [key];
    while (changed.length > 0) {
      for (const dependent of this.dependents.get(changed.pop()) ?? []) {
        const cell = this.cells.get(dependent);
        if (!cell.isStale) {
          cell.isStale = true;
          changed.push(dependent);
        }
      }
    }
  }

  /** The value of a cell that is not stale. */
  currentValue(key) {
    const cell = this.cells.get(key);
    return cell === undefined ? EMPTY : cell.value;
  }

  /**
   * Finds the values of the stale cell at `root` and of all stale cells that it depends on. This is Tarjan's search
   * for strongly connected components: each component is found after those it depends on, and cells depend on
   * themselves if they are in a component with others or mention themselves.
   */
  calculate(root) {
    const visits = new Map();
    const path = [];
    const component = [];

    const enter = (key) => {
      const visit = { key, cell: this.cells.get(key), next: 0, index: visits.size, low: visits.size };
      visits.set(key, visit);
      path.push(visit);
      component.push(visit);
    };

    enter(root);
    while (path.length > 0) {
      const visit = path[path.length - 1];
      const { cell } = visit;
      if (visit.next < cell.precedents.length) {
        const precedent = cell.precedents[visit.next];
        visit.next += 1;
        if (this.cells.get(precedent)?.isStale) {
          const seen = visits.get(precedent);
          if (seen === undefined) enter(precedent);
          else visit.low = Math.min(visit.low, seen.index);
        }
      } else {
        path.pop();
        if (path.length > 0) {
          const parent = path[path.length - 1];
          parent.low = Math.min(parent.low, visit.low);
        }
        if (visit.low === visit.index) this.finish(component.splice(component.lastIndexOf(visit)));
      }
    }
  }

  /** Sets the values of the cells of a component; all other cells that they depend on have theirs. */
  finish(component) {
    const [{ key, cell }] = component;
    const isCycle = component.length > 1 || cell.precedents.includes(key);
    for (const visit of component) {
      visit.cell.value = isCycle ? CYCLE : this.evaluator.valueOfFormula(visit.cell.formula);
      visit.cell.isStale = false;
    }
  }
}

module.exports = { Sheet };
