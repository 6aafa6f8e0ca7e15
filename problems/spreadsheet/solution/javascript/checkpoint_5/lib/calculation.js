'use strict';

const { findComponents } = require('./components');
const { CYCLE } = require('./errors');
const { Evaluator } = require('./evaluator');
const { mentionsOf } = require('./mentions');
const { Recalculation } = require('./recalculation');

/**
 * Keeps the cells of a workbook and what depends on what. Changes make all cells stale that depend on the changed ones.
 * Stale cells are calculated when their values are needed, or, if changes are to be traced, immediately after them.
 */
class Calculation {
  constructor(workbook) {
    this.workbook = workbook;
    /** For each symbol (see mentions.js), the set of the cells with formulas that mention it. */
    this.users = new Map();
    /** Is different after each change. */
    this.version = 0;
    /** Whether no cell is stale. */
    this.isCurrent = true;
    /** Where changes are noted while they are traced, else null. */
    this.recalculation = null;
  }

  /** Puts a cell at its address. */
  put(cell) {
    const old = cell.sheet.grid.get(cell);
    this.recalculation?.touch(cell, old);
    if (old !== undefined) this.unbind(old);
    cell.sheet.grid.put(cell);
    this.bind(cell);
    if (cell.formula !== null) this.makeStale(cell);
    this.makeDependentsStale(cell);
  }

  /** Makes an address empty. */
  remove({ sheet, row, column }) {
    const address = { sheet, row, column };
    const old = sheet.grid.get(address);
    this.recalculation?.touch(address, old);
    if (old !== undefined) this.drop(old);
    this.makeDependentsStale(address);
  }

  /** Removes a cell of which the sheet is removed, too. */
  drop(cell) {
    this.unbind(cell);
    cell.sheet.grid.delete(cell);
  }

  /** Does a `change` of formulas, names, places or sheets that may change what these cells mention, but no values. */
  rebind(cells, change) {
    this.version += 1;
    for (const cell of cells) this.unbind(cell);
    change();
    for (const cell of cells) this.bind(cell);
  }

  /** The cells with formulas that mention a symbol. */
  usersOf(symbol) {
    return [...(this.users.get(symbol) ?? [])];
  }

  /** To be called with cells that mention a symbol which stands for something else now. */
  touch(cells) {
    this.version += 1;
    for (const cell of cells) this.put(cell);
  }

  /** The value of a cell. */
  valueOf(cell) {
    if (cell.isStale) this.calculate(cell);
    return cell.value;
  }

  /** Does `change`, and calculates what is stale then. @returns {object[]} the trace, see Recalculation */
  trace(change) {
    return this.recalculate(change).trace;
  }

  /**
   * Does `change`, which only puts and removes cells, calculates what is stale then, and makes all as it was before.
   * @returns {any} what `read(trace)` gave before it was made so
   */
  tryOut(change, read) {
    const recalculation = this.recalculate(change);
    try {
      return read(recalculation.trace);
    } finally {
      recalculation.undo();
    }
  }

  recalculate(change) {
    this.calculateAll();
    const recalculation = new Recalculation(this);
    this.recalculation = recalculation;
    try {
      change();
    } finally {
      this.recalculation = null;
    }
    recalculation.run();
    this.isCurrent = true;
    return recalculation;
  }

  /** Puts a cell that is not stale at an address, undefined to make it empty, and makes nothing stale. */
  restore({ sheet, row, column }, cell) {
    const current = sheet.grid.get({ row, column });
    if (current === cell) return;
    if (current !== undefined) this.drop(current);
    if (cell !== undefined) {
      sheet.grid.put(cell);
      this.bind(cell);
    }
  }

  /** Finds out and notes what a cell depends on. */
  bind(cell) {
    if (cell.formula === null) return;
    cell.mentions = mentionsOf(cell.formula, cell.sheet, this.workbook);
    for (const { sheet, area } of cell.mentions.areas) sheet.dependencies.add(area, cell);
    for (const symbol of cell.mentions.symbols) {
      if (!this.users.has(symbol)) this.users.set(symbol, new Set());
      this.users.get(symbol).add(cell);
    }
  }

  unbind(cell) {
    if (cell.formula === null) return;
    for (const { sheet, area } of cell.mentions.areas) sheet.dependencies.remove(area, cell);
    for (const symbol of cell.mentions.symbols) {
      const cells = this.users.get(symbol);
      cells.delete(cell);
      if (cells.size === 0) this.users.delete(symbol);
    }
  }

  makeStale(cell) {
    cell.isStale = true;
    this.isCurrent = false;
    this.recalculation?.affect(cell);
  }

  makeDependentsStale(address) {
    this.version += 1;
    const changed = [address];
    while (changed.length > 0) {
      this.forEachDependent(changed.pop(), (dependent) => {
        if (dependent.isStale) return;
        this.makeStale(dependent);
        changed.push(dependent);
      });
    }
  }

  /** Calls `visit` with the cells that directly depend on the one at an address, with some of them perhaps repeatedly. */
  forEachDependent({ sheet, row, column }, visit) {
    sheet.dependencies.forEachDependent({ row, column }, visit);
  }

  calculateAll() {
    if (this.isCurrent) return;
    for (const { grid } of this.workbook.sheets) {
      for (const cell of grid.cellsIn()) this.valueOf(cell);
    }
    this.isCurrent = true;
  }

  /** Finds the values of a stale cell and of all stale cells that it depends on. */
  calculate(root) {
    findComponents(
      root,
      (cell) => this.stalePrecedents(cell),
      (cells, isCycle) => {
        for (const cell of cells) {
          cell.value = isCycle ? CYCLE : this.evaluate(cell);
          cell.isInCycle = isCycle;
          cell.isStale = false;
        }
      },
    );
  }

  /** The value of the formula of a cell that depends on no stale cell, and not on itself. */
  evaluate(cell) {
    return new Evaluator(this.workbook, cell.sheet, this.version).valueOfFormula(cell.formula);
  }

  /** The cells that the formula of a cell mentions and that are still stale when it is their turn. */
  *stalePrecedents(cell) {
    for (const { sheet, area } of cell.mentions.areas) {
      yield* sheet.grid.cellsIn(area, (precedent) => precedent.isStale);
    }
  }
}

module.exports = { Calculation };
