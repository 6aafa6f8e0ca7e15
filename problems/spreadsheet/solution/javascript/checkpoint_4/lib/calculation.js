'use strict';

const { findComponents } = require('./components');
const { CYCLE } = require('./errors');
const { Evaluator } = require('./evaluator');
const { mentionsOf } = require('./mentions');
const { Recalculation } = require('./recalculation');
const { EMPTY } = require('./values');

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
    this.recalculation?.touch(cell, old?.value ?? EMPTY);
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
    this.recalculation?.touch(address, old?.value ?? EMPTY);
    if (old !== undefined) this.drop(old);
    this.makeDependentsStale(address);
  }

  /** Removes a cell of which the sheet is removed, too. */
  drop(cell) {
    this.unbind(cell);
    cell.sheet.grid.delete(cell);
  }

  /** Puts a cell in the place of one with another spelling of the same formula. */
  respell(cell, respelled) {
    this.unbind(cell);
    cell.sheet.grid.put(respelled);
    this.bind(respelled);
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
    this.calculateAll();
    const recalculation = new Recalculation(this);
    this.recalculation = recalculation;
    try {
      change();
    } finally {
      this.recalculation = null;
    }
    this.isCurrent = true;
    return recalculation.run();
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
