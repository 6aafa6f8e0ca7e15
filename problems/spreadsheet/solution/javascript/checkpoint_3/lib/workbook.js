'use strict';

const { Cell, mapReferences } = require('./cell');
const { findComponents } = require('./components');
const { CYCLE, REF } = require('./errors');
const { Evaluator } = require('./evaluator');
const { constant } = require('./expression');
const { mentionsOf, nameSymbol, sheetSymbol } = require('./mentions');
const { Names } = require('./names');
const { printExpression } = require('./printer');
const { Refusal } = require('./refusal');
const { Sheet } = require('./sheet');
const { sheetKey } = require('./sheetnames');
const { EMPTY, showValue } = require('./values');

/**
 * All sheets and names. Addresses are { sheet, row, column }, places are areas of a sheet, { sheet, area }. What cannot
 * be done is refused before anything is changed.
 */
class Workbook {
  constructor() {
    /** The sheets in their order, and by their keys. */
    this.sheets = [];
    this.sheetsByKey = new Map();
    this.names = new Names();
    /** For each symbol, the set of the cells with formulas that mention it. */
    this.users = new Map();
    /** Is different after each change. */
    this.version = 0;
    this.active = this.insertSheet('Sheet1');
  }

  // Cells

  set(address, content) {
    this.put(new Cell(address, content));
  }

  clear({ sheet, area }) {
    for (const cell of this.cellsIn({ sheet, area })) this.remove(cell);
  }

  /** Copies an area beside the one cell of `target`, or the one cell of `source` to each cell of an area. */
  copy(source, target) {
    const isFill = source.area.size === 1;
    if (!isFill && target.area.size > 1) throw new Refusal('shape');
    const area = isFill ? target.area : source.area.movedTo(target.area.topLeft);
    if (!area.isOnSheet()) throw new Refusal('bounds');
    const copies = isFill ? this.copiesOfCell(source, target) : this.copiesOfArea(source, target);
    this.clear({ sheet: target.sheet, area });
    for (const cell of copies) this.put(cell);
  }

  copiesOfCell(source, { sheet, area }) {
    const [cell] = this.cellsIn(source);
    if (cell === undefined) return [];
    const copies = [];
    for (let row = area.top; row <= area.bottom; row += 1) {
      for (let column = area.left; column <= area.right; column += 1) copies.push(cell.copiedTo({ sheet, row, column }));
    }
    return copies;
  }

  copiesOfArea(source, { sheet, area }) {
    const rows = area.top - source.area.top;
    const columns = area.left - source.area.left;
    return this.cellsIn(source).map((cell) =>
      cell.copiedTo({ sheet, row: cell.row + rows, column: cell.column + columns }),
    );
  }

  /** @returns the value of the cell at an address, EMPTY if it is empty */
  valueAt({ sheet, row, column }) {
    const cell = sheet.grid.get({ row, column });
    return cell === undefined ? EMPTY : this.valueOf(cell);
  }

  valueOf(cell) {
    if (cell.isStale) this.calculate(cell);
    return cell.value;
  }

  /** @returns {string | null} what the cell at an address holds, null if it is empty */
  sourceAt({ sheet, row, column }) {
    const cell = sheet.grid.get({ row, column });
    if (cell === undefined) return null;
    return cell.formula === null ? showValue(cell.value) : this.showFormula(cell.formula);
  }

  showFormula(expression) {
    return '=' + printExpression(expression, (sheetName) => this.sheetNamed(sheetName)?.name ?? sheetName);
  }

  /** @returns {Cell[]} the filled cells in an area of a sheet, row by row, in a row from the left */
  cellsIn({ sheet, area }) {
    return [...sheet.grid.cellsIn(area)];
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
    this.updateUsers(sheetSymbol(name));
  }

  useSheet(sheet) {
    this.active = sheet;
  }

  renameSheet(sheet, name) {
    const oldName = sheet.name;
    const oldKey = sheetKey(oldName);
    if (sheetKey(name) !== oldKey) this.refuseSheetNamed(name);
    this.sheetsByKey.delete(oldKey);
    sheet.name = name;
    this.sheetsByKey.set(sheetKey(name), sheet);
    this.changeReferencesTo(oldName, (reference) => ({ ...reference, sheetName: name }));
    this.updateUsers(sheetSymbol(name));
  }

  copySheet(sheet, name) {
    this.refuseSheetNamed(name);
    const copy = this.insertSheet(name);
    for (const cell of sheet.grid.cellsIn()) this.put(cell.onSheet(copy));
    this.updateUsers(sheetSymbol(name));
  }

  deleteSheet(sheet) {
    if (this.sheets.length === 1) throw new Refusal('last');
    const index = this.sheets.indexOf(sheet);
    for (const cell of [...sheet.grid.cellsIn()]) this.remove(cell);
    this.sheets.splice(index, 1);
    this.sheetsByKey.delete(sheetKey(sheet.name));
    if (this.active === sheet) this.active = this.sheets[Math.max(0, index - 1)];
    this.changeReferencesTo(sheet.name, () => constant(REF));
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

  /** Puts an item `change(reference)` instead of each reference that names a sheet, in all formulas. */
  changeReferencesTo(sheetName, change) {
    const key = sheetKey(sheetName);
    const changeIfNamed = (reference) =>
      reference.sheetName !== null && sheetKey(reference.sheetName) === key ? change(reference) : reference;
    this.names.changeReferences(changeIfNamed);
    this.updateUsers(sheetSymbol(sheetName), (cell) => cell.withReferences(changeIfNamed));
  }

  // Names

  defineName(name, formula) {
    const qualified = mapReferences(formula, (reference) => ({
      ...reference,
      sheetName: reference.sheetName ?? this.active.name,
    }));
    this.names.define(name, qualified);
    this.updateUsers(nameSymbol(this.names.keyOf(name)));
  }

  deleteName(name) {
    const key = this.names.keyOf(name);
    this.names.delete(key);
    this.updateUsers(nameSymbol(key));
  }

  // Changes of cells, and what depends on them

  /** Puts a cell at its address. */
  put(cell) {
    const old = cell.sheet.grid.get(cell);
    if (old !== undefined) this.unbind(old);
    cell.sheet.grid.put(cell);
    this.bind(cell);
    this.makeDependentsStale(cell);
  }

  remove(cell) {
    this.unbind(cell);
    cell.sheet.grid.delete(cell);
    this.makeDependentsStale(cell);
  }

  /** Finds out and notes what a cell depends on. */
  bind(cell) {
    if (cell.formula === null) return;
    cell.mentions = mentionsOf(cell.formula, cell.sheet, this);
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

  /** To be called when a symbol stands for something else: puts `change(cell)` instead of each cell that mentions it. */
  updateUsers(symbol, change = (cell) => cell) {
    this.version += 1;
    for (const cell of [...(this.users.get(symbol) ?? [])]) {
      const changed = change(cell);
      changed.isStale = true;
      this.put(changed);
    }
  }

  makeDependentsStale(cell) {
    this.version += 1;
    const changed = [cell];
    while (changed.length > 0) {
      const { sheet, row, column } = changed.pop();
      sheet.dependencies.forEachDependent({ row, column }, (dependent) => {
        if (dependent.isStale) return;
        dependent.isStale = true;
        changed.push(dependent);
      });
    }
  }

  // Calculation

  /** Finds the values of a stale cell and of all stale cells that it depends on. */
  calculate(root) {
    findComponents(
      root,
      (cell) => this.stalePrecedents(cell),
      (cells, isCycle) => {
        for (const cell of cells) {
          cell.value = isCycle ? CYCLE : new Evaluator(this, cell.sheet).valueOfFormula(cell.formula);
          cell.isStale = false;
        }
      },
    );
  }

  /** The cells that the formula of a cell mentions and that are still stale when it is their turn. */
  *stalePrecedents(cell) {
    for (const { sheet, area } of cell.mentions.areas) {
      yield* sheet.grid.cellsIn(area, (precedent) => precedent.isStale);
    }
  }
}

module.exports = { Workbook };
