'use strict';

const { findComponents } = require('./components');
const { CYCLE } = require('./errors');
const { valuesOfUnit } = require('./evaluator');
const { mentionsOf } = require('./mentions');
const { Recalculation } = require('./recalculation');

/**
 * Keeps the units (see Cell) of a workbook and what depends on what. Changes make all units stale that depend on the
 * changed ones. Stale units are calculated when their values are needed, or, if changes are to be traced, immediately
 * after them.
 */
class Calculation {
  constructor(workbook) {
    this.workbook = workbook;
    /** For each symbol (see mentions.js), the set of the units with formulas that mention it. */
    this.users = new Map();
    /** Is different after each change. */
    this.version = 0;
    /** Whether no unit is stale. */
    this.isCurrent = true;
    /** Where changes are noted while they are traced, else null. */
    this.recalculation = null;
  }

  /** Puts the cells of a unit at their addresses. Arrays of which cells are replaced must be replaced as a whole. */
  put(unit) {
    for (const cell of unit.cells) {
      const old = cell.sheet.grid.get(cell);
      this.recalculation?.touch(cell, old);
      if (old !== undefined) this.unbind(old.unit);
      cell.sheet.grid.put(cell);
    }
    this.bind(unit);
    if (unit.formula !== null) this.makeStale(unit);
    this.makeDependentsStale(unit.cells);
  }

  /** Makes an address empty. If the cell there is in an array, all cells of it must be removed or replaced. */
  remove({ sheet, row, column }) {
    const address = { sheet, row, column };
    const old = sheet.grid.get(address);
    this.recalculation?.touch(address, old);
    if (old !== undefined) this.drop(old);
    this.makeDependentsStale([address]);
  }

  /** Removes a cell, and makes nothing stale. */
  drop(cell) {
    this.unbind(cell.unit);
    cell.sheet.grid.delete(cell);
  }

  /** Does a `change` of formulas, names, places or sheets that may change what these units mention, but no values. */
  rebind(units, change) {
    this.version += 1;
    for (const unit of units) this.unbind(unit);
    change();
    for (const unit of units) this.bind(unit);
  }

  /** The units with formulas that mention a symbol. */
  usersOf(symbol) {
    return [...(this.users.get(symbol) ?? [])];
  }

  /** To be called with units of which the formulas mean something else now. */
  touch(units) {
    this.version += 1;
    for (const unit of units) this.put(unit);
  }

  /** The value of a cell. */
  valueOf(cell) {
    if (cell.unit.isStale) this.calculate(cell.unit);
    return cell.value;
  }

  /** Does `change`, and calculates what is stale then. @returns {object[]} the trace, see Recalculation */
  trace(change) {
    return this.recalculate(change).trace;
  }

  /**
   * Does `change`, which only puts and removes units, calculates what is stale then, and makes all as it was before.
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
      this.bind(cell.unit);
    }
  }

  /** Finds out and notes what a unit depends on, if that is not done. */
  bind(unit) {
    if (unit.formula === null || unit.mentions !== null) return;
    unit.mentions = mentionsOf(unit.formula, unit.sheet, this.workbook);
    for (const { sheet, area } of unit.mentions.areas) sheet.dependencies.add(area, unit);
    for (const symbol of unit.mentions.symbols) {
      if (!this.users.has(symbol)) this.users.set(symbol, new Set());
      this.users.get(symbol).add(unit);
    }
  }

  /** Takes back what `bind` did, if that is not done. */
  unbind(unit) {
    if (unit.mentions === null) return;
    for (const { sheet, area } of unit.mentions.areas) sheet.dependencies.remove(area, unit);
    for (const symbol of unit.mentions.symbols) {
      const units = this.users.get(symbol);
      units.delete(unit);
      if (units.size === 0) this.users.delete(symbol);
    }
    unit.mentions = null;
  }

  makeStale(unit) {
    unit.isStale = true;
    this.isCurrent = false;
    this.recalculation?.affect(unit);
  }

  makeDependentsStale(addresses) {
    this.version += 1;
    const changed = [...addresses];
    while (changed.length > 0) {
      this.forEachDependent(changed.pop(), (unit) => {
        if (unit.isStale) return;
        this.makeStale(unit);
        for (const cell of unit.cells) changed.push(cell);
      });
    }
  }

  /** Calls `visit` with the units that directly depend on the cell at an address, with some of them perhaps repeatedly. */
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

  /** Finds the values of a stale unit and of all stale units that it depends on. */
  calculate(root) {
    findComponents(
      root,
      (unit) => this.stalePrecedents(unit),
      (units, isCycle) => {
        for (const unit of units) {
          const values = isCycle ? unit.cells.map(() => CYCLE) : this.evaluate(unit);
          unit.cells.forEach((cell, i) => {
            cell.value = values[i];
          });
          unit.isInCycle = isCycle;
          unit.isStale = false;
        }
      },
    );
  }

  /** The values of the cells of a unit that has a formula and depends on no stale unit, and not on itself. */
  evaluate(unit) {
    return valuesOfUnit(unit, this.workbook, this.version);
  }

  /** The units with cells that the formula of a unit mentions and that are still stale when it is their turn. */
  *stalePrecedents({ mentions }) {
    for (const { sheet, area } of mentions.areas) {
      for (const cell of sheet.grid.cellsIn(area, ({ unit }) => unit.isStale)) yield cell.unit;
    }
  }
}

module.exports = { Calculation };
