'use strict';

const { KEY_LIMIT, cellKey } = require('./address');
const { findComponents } = require('./components');
const { CYCLE } = require('./errors');
const { Heap } = require('./heap');
const { EMPTY, isSameValue } = require('./values');

/**
 * A recalculation after an edit, in the order and with the trace that are prescribed. No cell must be stale before the
 * edit. During the edit, `touch` and `affect` are called; after it, `run`.
 */
class Recalculation {
  constructor(calculation) {
    this.calculation = calculation;
    /** The addresses that are touched, with the cells and the values there before the edit, by sheet and key. */
    this.touched = new Map();
    /** The units that became stale. */
    this.affected = new Set();
    /** Units of which a cell that they mention changed. */
    this.withChangedPrecedents = new Set();
    /** The evaluated cells in order, with their values and those that they had before the edit: { cell, old, value }. */
    this.trace = [];
    /** What cells and units were before their turns: { cell, value } and { unit, isInCycle }. */
    this.cellsBefore = [];
    this.unitsBefore = [];
  }

  /** Notes that something is put at an address, or removed there, where `oldCell` (or undefined) was up to now. */
  touch({ sheet, row, column }, oldCell) {
    const touches = this.touched.get(sheet) ?? new Map();
    this.touched.set(sheet, touches);
    const key = cellKey({ row, column });
    if (!touches.has(key)) touches.set(key, { address: { sheet, row, column }, oldCell, old: oldCell?.value ?? EMPTY });
  }

  /** Notes that a unit became stale. */
  affect(unit) {
    this.affected.add(unit);
  }

  /** Calculates all affected units. */
  run() {
    this.noteChangedContents();
    const turns = this.findTurns();
    const ready = new Heap((turn) => turn.rank);
    for (const turn of new Set(turns.values())) {
      if (turn.pending === 0) ready.push(turn);
    }
    while (ready.size > 0) {
      const turn = ready.pop();
      this.take(turn);
      for (const cell of turn.cells) {
        this.calculation.forEachDependent(cell, (dependent) => {
          const next = turns.get(dependent);
          if (next === turn) return;
          next.pending -= 1;
          if (next.pending === 0) ready.push(next);
        });
      }
    }
  }

  /** Makes all as it was before an edit that only put and removed cells, after `run`. */
  undo() {
    for (const { cell, value } of this.cellsBefore) cell.value = value;
    for (const { unit, isInCycle } of this.unitsBefore) unit.isInCycle = isInCycle;
    // Units that were replaced after they became stale have not had their turns.
    for (const unit of this.affected) unit.isStale = false;
    for (const { address, oldCell } of this.touches()) this.calculation.restore(address, oldCell);
    this.calculation.version += 1;
  }

  *touches() {
    for (const touches of this.touched.values()) yield* touches.values();
  }

  noteChangedContents() {
    for (const { address, old } of this.touches()) {
      const cell = address.sheet.grid.get(address);
      const hasFormula = cell !== undefined && cell.unit.formula !== null;
      if (!hasFormula && !isSameValue(cell?.value ?? EMPTY, old)) this.noteChange(address);
    }
  }

  noteChange(address) {
    this.calculation.forEachDependent(address, (dependent) => this.withChangedPrecedents.add(dependent));
  }

  /** @returns {Map<object, object>} for each affected unit its turn; the units of a cycle have the same one */
  findTurns() {
    const turns = new Map();
    const visits = new Map();
    const addTurn = (units, isCycle) => {
      const turn = this.turnOf(units, isCycle);
      for (const unit of units) turns.set(unit, turn);
    };
    for (const unit of this.affected) {
      // The edit may have replaced a unit after it became stale.
      const [first] = unit.cells;
      if (first.sheet.grid.get(first) !== first) continue;
      findComponents(unit, (from) => this.calculation.stalePrecedents(from), addTurn, visits);
    }
    for (const turn of new Set(turns.values())) {
      for (const cell of turn.cells) {
        this.calculation.forEachDependent(cell, (dependent) => {
          const next = turns.get(dependent);
          if (next !== turn) next.pending += 1;
        });
      }
    }
    return turns;
  }

  /** A turn of units: their cells in order, and how often other affected units whose turns are to come are mentioned. */
  turnOf(units, isCycle) {
    const ranked = units.flatMap((unit) => unit.cells.map((cell) => ({ cell, rank: this.rankOf(cell) })));
    ranked.sort((a, b) => a.rank - b.rank);
    return { units, cells: ranked.map(({ cell }) => cell), isCycle, rank: ranked[0].rank, pending: 0 };
  }

  /** The order of cells by sheets, rows and columns. */
  rankOf(cell) {
    return this.calculation.workbook.sheets.indexOf(cell.sheet) * KEY_LIMIT + cellKey(cell);
  }

  take({ units, cells, isCycle }) {
    for (const cell of cells) this.cellsBefore.push({ cell, value: cell.value });
    for (const unit of units) this.unitsBefore.push({ unit, isInCycle: unit.isInCycle });
    if (isCycle) cells.forEach((cell) => this.takeInCycle(cell));
    else this.takeAlone(units[0]);
    for (const unit of units) {
      unit.isInCycle = isCycle;
      unit.isStale = false;
    }
  }

  takeInCycle(cell) {
    if (this.touchOf(cell) !== undefined || cell.value !== CYCLE) this.setValue(cell, CYCLE);
  }

  takeAlone(unit) {
    const isTouched = this.touchOf(unit.cells[0]) !== undefined;
    if (!isTouched && !this.withChangedPrecedents.has(unit) && !unit.isInCycle) return;
    const values = this.calculation.evaluate(unit);
    unit.cells.forEach((cell, i) => this.setValue(cell, values[i]));
  }

  touchOf(cell) {
    return this.touched.get(cell.sheet)?.get(cellKey(cell));
  }

  setValue(cell, value) {
    const touch = this.touchOf(cell);
    const old = touch === undefined ? cell.value : touch.old;
    cell.value = value;
    this.trace.push({ cell, old, value });
    if (!isSameValue(value, old)) this.noteChange(cell);
  }
}

module.exports = { Recalculation };
