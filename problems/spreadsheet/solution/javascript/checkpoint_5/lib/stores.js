'use strict';

const { nameSymbol } = require('./mentions');
const { Overlay } = require('./overlay');

/**
 * Stores are what edits of cells and names are made in. They have
 * - cellAt(address), cellsIn(place), names: what cells and names hold by now (the values of cells may be out of date)
 * - put(cell), remove(cell), defineName(name, formula), deleteName(name)
 */

/** The store that edits have their effects in at once. */
class LiveStore {
  constructor(workbook) {
    this.workbook = workbook;
    this.calculation = workbook.calculation;
  }

  get names() {
    return this.workbook.names;
  }

  cellAt({ sheet, row, column }) {
    return sheet.grid.get({ row, column });
  }

  cellsIn({ sheet, area }) {
    return [...sheet.grid.cellsIn(area)];
  }

  put(cell) {
    this.calculation.put(cell);
  }

  remove(cell) {
    this.calculation.remove(cell);
  }

  defineName(name, formula) {
    this.names.define(name, formula);
    this.touchUsersOf(this.names.keyOf(name));
  }

  deleteName(name) {
    const key = this.names.keyOf(name);
    this.names.delete(key);
    this.touchUsersOf(key);
  }

  touchUsersOf(nameKey) {
    this.calculation.touch(this.calculation.usersOf(nameSymbol(nameKey)));
  }
}

/** A store that keeps edits until they are committed. */
class Batch {
  constructor(workbook) {
    this.workbook = workbook;
    this.changes = new Overlay();
    this.names = workbook.names.clone();
    this.changedNames = new Set();
  }

  cellAt({ sheet, row, column }) {
    const cell = this.changes.get({ sheet, row, column }) ?? sheet.grid.get({ row, column });
    return cell?.isEmpty ? undefined : cell;
  }

  cellsIn({ sheet, area }) {
    const kept = sheet.grid.cellsIn(area, (cell) => this.changes.get(cell) === undefined);
    return [...kept, ...this.changes.cellsIn({ sheet, area }).filter((cell) => !cell.isEmpty)];
  }

  put(cell) {
    this.changes.put(cell);
  }

  remove(cell) {
    this.changes.put(cell.emptied());
  }

  defineName(name, formula) {
    this.names.define(name, formula);
    this.changedNames.add(this.names.keyOf(name));
  }

  deleteName(name) {
    const key = this.names.keyOf(name);
    this.names.delete(key);
    this.changedNames.add(key);
  }

  /** Makes the edits in a live store. */
  commit(store) {
    if (this.changedNames.size > 0) this.workbook.names = this.names;
    for (const key of this.changedNames) store.touchUsersOf(key);
    for (const cell of this.changes.cellsOf(this.workbook.sheets)) {
      if (cell.isEmpty) store.remove(cell);
      else store.put(cell);
    }
  }
}

module.exports = { Batch, LiveStore };
