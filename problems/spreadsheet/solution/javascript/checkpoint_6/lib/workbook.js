'use strict';

const { Calculation } = require('./calculation');
const { ArrayFormula } = require('./arrayformula');
const { Area, areaName } = require('./address');
const { MAX_VALUES } = require('./arrayvalue');
const { Cell, EMPTY_CONTENT, unitsOf } = require('./cell');
const { REF } = require('./errors');
const { constant, mapReferences } = require('./expression');
const { nameSymbol, sheetSymbol } = require('./mentions');
const { Names } = require('./names');
const { printExpression } = require('./printer');
const { rearrangedReference } = require('./references');
const { Refusal } = require('./refusal');
const { Scenarios } = require('./scenarios');
const { Sheet } = require('./sheet');
const { sheetKey } = require('./sheetnames');
const { Batch, LiveStore } = require('./stores');
const { EMPTY, showValue } = require('./values');

/**
 * All sheets and names. Addresses are { sheet, row, column }, places are areas of a sheet, { sheet, area }. What cannot
 * be done is refused before anything is changed. Edits have to be made within `edit`.
 */
class Workbook {
  constructor() {
    /** The sheets in their order, and by their keys. */
    this.sheets = [];
    this.sheetsByKey = new Map();
    this.names = new Names();
    this.scenarios = new Scenarios();
    this.calculation = new Calculation(this);
    this.liveStore = new LiveStore(this);
    /** The open batch, null if there is none. */
    this.batch = null;
    this.isTracing = false;
    this.active = this.insertSheet('Sheet1');
  }

  // Edits and batches

  /**
   * Makes an edit, or keeps it in the open batch.
   * @param {function} change makes it
   * @returns {object[] | null} the trace (see Recalculation), null if there is none
   */
  edit(change) {
    if (this.isTracing && this.batch === null) return this.calculation.trace(change);
    change();
    return null;
  }

  begin() {
    this.batch = new Batch(this);
  }

  /** @returns the trace, like `edit` */
  commit() {
    const { batch } = this;
    this.batch = null;
    return this.edit(() => batch.commit(this.liveStore));
  }

  abort() {
    this.batch = null;
  }

  /** Where edits of cells and names are made. */
  get store() {
    return this.batch ?? this.liveStore;
  }

  // Cells

  set(address, content) {
    this.refuseToBreakArrays({ sheet: address.sheet, area: Area.between(address, address) });
    this.store.put(new Cell(address, content));
  }

  setArray(place, formula) {
    if (place.area.size > MAX_VALUES) throw new Refusal('bounds');
    this.refuseToBreakArrays(place);
    this.store.put(new ArrayFormula(place, formula));
  }

  clear(place) {
    this.refuseToBreakArrays(place);
    // Removing the last cells first is much faster.
    for (const cell of this.store.cellsIn(place).reverse()) this.store.remove(cell);
  }

  /** Copies an area beside the one cell of `target`, or the one cell of `source` to each cell of an area. */
  copy(source, target) {
    const isFill = source.area.size === 1;
    if (!isFill && target.area.size > 1) throw new Refusal('shape');
    const area = isFill ? target.area : source.area.movedTo(target.area.topLeft);
    if (!area.isOnSheet()) throw new Refusal('bounds');
    this.refuseToBreakArrays(source);
    this.refuseToBreakArrays({ sheet: target.sheet, area });
    const copies = isFill ? this.copiesOfCell(source, target) : this.copiesOfArea(source, target);
    this.clear({ sheet: target.sheet, area });
    for (const unit of copies) this.store.put(unit);
  }

  copiesOfCell(source, { sheet, area }) {
    const [cell] = this.store.cellsIn(source);
    if (cell === undefined) return [];
    const copies = [];
    for (let row = area.top; row <= area.bottom; row += 1) {
      for (let column = area.left; column <= area.right; column += 1) {
        copies.push(cell.unit.copiedBy(row - cell.row, column - cell.column, sheet));
      }
    }
    return copies;
  }

  copiesOfArea(source, { sheet, area }) {
    const rows = area.top - source.area.top;
    const columns = area.left - source.area.left;
    return [...unitsOf(this.store.cellsIn(source))].map((unit) => unit.copiedBy(rows, columns, sheet));
  }

  /** Refuses what would be done to all cells in an area if there are only some of the cells of an array. */
  refuseToBreakArrays(place) {
    for (const { array } of this.store.cellsIn(place)) {
      if (array !== null && !place.area.containsArea(array.area)) throw new Refusal('array');
    }
  }

  /** @returns the value of the cell at an address, EMPTY if it is empty; edits in an open batch do not matter */
  valueAt({ sheet, row, column }) {
    const cell = sheet.grid.get({ row, column });
    return cell === undefined ? EMPTY : this.calculation.valueOf(cell);
  }

  /** @returns {object[]} { cell, value } for the filled cells, in order; edits in an open batch do not matter */
  valuesIn({ sheet, area }) {
    return [...sheet.grid.cellsIn(area)].map((cell) => ({ cell, value: this.calculation.valueOf(cell) }));
  }

  /** @returns {string | null} what the cell at an address holds by now, null if it is empty */
  sourceAt(address) {
    const cell = this.store.cellAt(address);
    return cell === undefined ? null : this.showContent(cell);
  }

  /** What a cell holds, as `source` shows it. */
  showContent({ array, formula, value }) {
    if (array !== null) return `{${this.showFormula(array.formula)}} ${areaName(array.area)}`;
    return formula === null ? showValue(value) : this.showFormula(formula);
  }

  showFormula(expression) {
    return '=' + printExpression(expression, (sheetName) => this.sheetNamed(sheetName)?.name ?? sheetName);
  }

  // Sheets

  /** @returns {Sheet | undefined} */
  sheetNamed(name) {
    return this.sheetsByKey.get(sheetKey(name));
  }

  /** @returns {Sheet | undefined} the sheet that a reference in a formula on a sheet refers to, if it exists */
  sheetOf(reference, sheet) {
    return reference.sheetName === null ? sheet : this.sheetNamed(reference.sheetName);
  }

  addSheet(name) {
    this.refuseSheetNamed(name);
    this.insertSheet(name);
    this.touchUsersOf(name);
  }

  useSheet(sheet) {
    this.active = sheet;
  }

  copySheet(sheet, name) {
    this.refuseSheetNamed(name);
    const copy = this.insertSheet(name);
    for (const unit of unitsOf([...sheet.grid.cellsIn()])) this.calculation.put(unit.onSheet(copy));
    this.touchUsersOf(name);
  }

  renameSheet(sheet, name) {
    const oldKey = sheetKey(sheet.name);
    const newKey = sheetKey(name);
    if (newKey !== oldKey) this.refuseSheetNamed(name);
    const users = this.usersOf(sheet.name);
    const waiting = newKey === oldKey ? [] : this.usersOf(name);
    this.calculation.rebind(users, () => {
      this.sheetsByKey.delete(oldKey);
      sheet.name = name;
      this.sheetsByKey.set(newKey, sheet);
      this.changeReferencesTo(oldKey, users, (reference) => ({ ...reference, sheetName: name }));
    });
    this.calculation.touch(waiting);
  }

  deleteSheet(sheet) {
    if (this.sheets.length === 1) throw new Refusal('last');
    const key = sheetKey(sheet.name);
    const index = this.sheets.indexOf(sheet);
    for (const cell of [...sheet.grid.cellsIn()].reverse()) this.calculation.drop(cell);
    const users = this.usersOf(sheet.name);
    this.calculation.rebind(users, () => {
      this.sheets.splice(index, 1);
      this.sheetsByKey.delete(key);
      if (this.active === sheet) this.active = this.sheets[Math.max(0, index - 1)];
      for (const { changes } of this.scenarios.all()) changes.deleteSheet(sheet);
      this.changeReferencesTo(key, users, () => constant(REF));
    });
    this.calculation.touch(users);
  }

  /** Puts an item `change(reference)` instead of each reference that names a sheet, in all formulas. */
  changeReferencesTo(key, users, change) {
    const changeIfNamed = (reference) =>
      reference.sheetName !== null && sheetKey(reference.sheetName) === key ? change(reference) : reference;
    this.names.changeReferences(() => changeIfNamed);
    for (const cell of [...users, ...this.cellsOfScenarios()]) cell.changeReferences(changeIfNamed);
  }

  /** The units with formulas that name a sheet, by themselves or by names. */
  usersOf(sheetName) {
    return this.calculation.usersOf(sheetSymbol(sheetName));
  }

  touchUsersOf(sheetName) {
    this.calculation.touch(this.usersOf(sheetName));
  }

  refuseSheetNamed(name) {
    if (this.sheetNamed(name) !== undefined) throw new Refusal('exists');
  }

  insertSheet(name) {
    const sheet = new Sheet(name);
    this.sheets.push(sheet);
    this.sheetsByKey.set(sheetKey(name), sheet);
    return sheet;
  }

  // Rows and columns

  /** Inserts or deletes lines of a sheet, and keeps all references in step. */
  changeLines(sheet, lineChange) {
    const cells = [...sheet.grid.cellsIn()];
    if (lineChange.isOutOfBounds(cells)) throw new Refusal('bounds');
    if (cells.some(({ array }) => array !== null && lineChange.breaks(array.area))) throw new Refusal('array');
    for (const cell of cells) {
      if (lineChange.lineAfter(cell[lineChange.axis]) === null) this.calculation.drop(cell);
    }

    /** The function that keeps references in step, for mapReferences; it tells of those that are not the same then. */
    const rearrange = (formulaSheet, noteChange) => (reference) => {
      if (this.sheetOf(reference, formulaSheet) !== sheet) return reference;
      const { item, isSame } = rearrangedReference(reference, lineChange);
      if (!isSame) noteChange();
      return item;
    };

    const rebound = this.unitsConcernedBy(sheet, lineChange);
    const touched = new Set();
    const touchedNames = new Set();
    this.calculation.rebind(rebound, () => {
      this.names.changeReferences((key) => rearrange(null, () => touchedNames.add(key)));
      for (const unit of rebound) unit.changeReferences(rearrange(unit.sheet, () => touched.add(unit)));
      for (const cell of this.cellsOfScenarios()) cell.changeReferences(rearrange(cell.sheet, () => {}));
      sheet.grid.rearrange(lineChange);
      for (const { changes } of this.scenarios.all()) changes.rearrange(sheet, lineChange);
    });
    for (const key of touchedNames) {
      for (const unit of this.calculation.usersOf(nameSymbol(key))) touched.add(unit);
    }
    this.calculation.touch(touched);
  }

  /** The units that are moved, or mention cells that are moved or deleted. */
  unitsConcernedBy(sheet, lineChange) {
    const isMoved = (unit) => unit.sheet === sheet && unit.cells[0][lineChange.axis] >= lineChange.at;
    const mentionsConcerned = ({ mentions }) =>
      mentions !== null && mentions.areas.some((place) => place.sheet === sheet && lineChange.concerns(place.area));
    const units = new Set([...unitsOf([...sheet.grid.cellsIn()]), ...this.usersOf(sheet.name)]);
    return [...units].filter((unit) => isMoved(unit) || mentionsConcerned(unit));
  }

  // Scenarios

  changeInScenario(name, address, content) {
    this.scenarios.getOrBegin(name).changes.put(new Cell(address, content));
  }

  emptyInScenario(name, address) {
    this.changeInScenario(name, address, EMPTY_CONTENT);
  }

  forgetInScenario({ changes }, address) {
    if (changes.get(address) === undefined) throw new Refusal('unknown');
    changes.delete(address);
  }

  dropScenario(scenario) {
    this.scenarios.drop(scenario);
  }

  /** Makes the changes of a scenario; it is an edit. */
  applyScenario(scenario) {
    this.refuseToBreakArraysBy(scenario);
    for (const cell of scenario.changes.cellsOf(this.sheets)) {
      const isThere = this.liveStore.cellAt(cell) !== undefined;
      if (!cell.isEmpty) this.liveStore.put(cell.fresh());
      else if (isThere) this.liveStore.remove(cell);
    }
  }

  refuseToBreakArraysBy({ changes }) {
    const counts = new Map();
    for (const address of changes.cellsOf(this.sheets)) {
      const array = this.liveStore.cellAt(address)?.array ?? null;
      if (array !== null) counts.set(array, (counts.get(array) ?? 0) + 1);
    }
    for (const [array, count] of counts) {
      if (count < array.cells.length) throw new Refusal('array');
    }
  }

  /** @returns {object[]} the trace that it would have to apply a scenario */
  traceOfScenario(scenario) {
    return this.calculation.tryOut(
      () => this.applyScenario(scenario),
      (trace) => trace,
    );
  }

  /** The value that there would be at an address after applying a scenario. */
  valueInScenario(scenario, address) {
    return this.calculation.tryOut(
      () => this.applyScenario(scenario),
      () => this.valueAt(address),
    );
  }

  /** The cells that the changes of all scenarios would put. */
  cellsOfScenarios() {
    return this.scenarios.all().flatMap(({ changes }) => changes.cellsOf(this.sheets));
  }

  // Names

  defineName(name, formula) {
    const qualified = mapReferences(formula, (reference) => ({
      ...reference,
      sheetName: reference.sheetName ?? this.active.name,
    }));
    this.store.defineName(name, qualified);
  }

  deleteName(name) {
    this.store.deleteName(name);
  }
}

module.exports = { Workbook };
