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
    /** The addresses that are touched and the values there before the edit: { address, old }, by sheet and key. */
    this.touched = new Map();
    /** The cells that became stale. */
    this.affected = new Set();
    /** Cells of which a cell that they mention changed. */
    this.withChangedPrecedents = new Set();
    this.trace = [];
  }

  /** Notes that something is put at an address, or removed there. */
  touch({ sheet, row, column }, old) {
    const keys = this.touched.get(sheet) ?? new Map();
    this.touched.set(sheet, keys);
    const key = cellKey({ row, column });
    if (!keys.has(key)) keys.set(key, { address: { sheet, row, column }, old });
  }

  /** Notes that a cell became stale. */
  affect(cell) {
    this.affected.add(cell);
  }

  /**
   * Calculates all affected cells.
   * @returns {{cell: Cell, old: any}[]} the evaluated cells in order, with the values that they had before the edit
   */
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
    return this.trace;
  }

  noteChangedContents() {
    for (const keys of this.touched.values()) {
      for (const { address, old } of keys.values()) {
        const cell = address.sheet.grid.get(address);
        const isChanged = (cell === undefined || cell.formula === null) && !isSameValue(cell?.value ?? EMPTY, old);
        if (isChanged) this.noteChange(address);
      }
    }
  }

  noteChange(address) {
    this.calculation.forEachDependent(address, (dependent) => this.withChangedPrecedents.add(dependent));
  }

  /** @returns {Map<Cell, object>} for each affected cell its turn; the cells of a cycle have the same one */
  findTurns() {
    const turns = new Map();
    const visits = new Map();
    const addTurn = (cells, isCycle) => {
      const ranked = cells.map((cell) => ({ cell, rank: this.rankOf(cell) })).sort((a, b) => a.rank - b.rank);
      const turn = { cells: ranked.map(({ cell }) => cell), isCycle, rank: ranked[0].rank, pending: 0 };
      for (const cell of cells) turns.set(cell, turn);
    };
    for (const cell of this.affected) {
      // The edit may have replaced a cell after it became stale.
      if (cell.sheet.grid.get(cell) !== cell) continue;
      findComponents(cell, (from) => this.calculation.stalePrecedents(from), addTurn, visits);
    }
    for (const [cell, turn] of turns) {
      this.calculation.forEachDependent(cell, (dependent) => {
        const next = turns.get(dependent);
        if (next !== turn) next.pending += 1;
      });
    }
    return turns;
  }

  /** The order of cells by sheets, rows and columns. */
  rankOf(cell) {
    return this.calculation.workbook.sheets.indexOf(cell.sheet) * KEY_LIMIT + cellKey(cell);
  }

  take({ cells, isCycle }) {
    for (const cell of cells) {
      if (isCycle) this.takeInCycle(cell);
      else this.takeAlone(cell);
      cell.isInCycle = isCycle;
      cell.isStale = false;
    }
  }

  takeInCycle(cell) {
    const touch = this.touchOf(cell);
    if (touch !== undefined || cell.value !== CYCLE) this.setValue(cell, touch, CYCLE);
  }

  takeAlone(cell) {
    const touch = this.touchOf(cell);
    if (touch !== undefined || this.withChangedPrecedents.has(cell) || cell.isInCycle) {
      this.setValue(cell, touch, this.calculation.evaluate(cell));
    }
  }

  touchOf(cell) {
    return this.touched.get(cell.sheet)?.get(cellKey(cell));
  }

  setValue(cell, touch, value) {
    const old = touch === undefined ? cell.value : touch.old;
    cell.value = value;
    this.trace.push({ cell, old });
    if (!isSameValue(value, old)) this.noteChange(cell);
  }
}

module.exports = { Recalculation };
