'use strict';

const { mapItems } = require('./expression');
const { parseFormula } = require('./parser');
const { copiedReference, isReference } = require('./references');
const { EMPTY, valueOfContent } = require('./values');

/**
 * What a cell can hold: { formula, value }. The formula is an expression, or null if there is none; then there is a
 * value.
 * @throws {FormulaError}
 */
function parseContent(text) {
  if (text.startsWith('=')) return { formula: parseFormula(text.slice(1)), value: undefined };
  return { formula: null, value: valueOfContent(text) };
}

/** The content of an empty cell, where cells stand for what they are to become. */
const EMPTY_CONTENT = { formula: null, value: EMPTY };

/**
 * A cell that holds something. What it holds does not change: another content is another cell. The value of a cell with
 * a formula is out of date as long as it is stale; all cells that depend on a stale cell are stale.
 */
class Cell {
  /**
   * @param {{sheet: Sheet, row: number, column: number}} address
   * @param {{formula: object[] | null, value: any}} content
   */
  constructor({ sheet, row, column }, { formula, value }) {
    this.sheet = sheet;
    this.row = row;
    this.column = column;
    this.formula = formula;
    this.value = formula === null ? value : undefined;
    this.isStale = formula !== null;
    /** Whether it depends on itself, as far as is known. */
    this.isInCycle = false;
    /** What the formula mentions; see mentions.js. */
    this.mentions = null;
  }

  get isEmpty() {
    return this.value === EMPTY;
  }

  /** The cell that it is to become when it is emptied. */
  emptied() {
    return new Cell(this, EMPTY_CONTENT);
  }

  /** The same on another sheet. */
  onSheet(sheet) {
    return new Cell({ sheet, row: this.row, column: this.column }, this);
  }

  /** A copy of the cell at another address. */
  copiedTo(address) {
    const rows = address.row - this.row;
    const columns = address.column - this.column;
    return new Cell(address, {
      formula: this.formula && mapReferences(this.formula, (reference) => copiedReference(reference, rows, columns)),
      value: this.value,
    });
  }

  /** The cell with an item `change(reference)` instead of each reference in its formula, and with the same value. */
  withReferences(change) {
    const cell = new Cell(this, { formula: mapReferences(this.formula, change) });
    cell.value = this.value;
    cell.isStale = this.isStale;
    cell.isInCycle = this.isInCycle;
    return cell;
  }
}

function mapReferences(expression, change) {
  return mapItems(expression, (item) => (isReference(item) ? change(item) : item));
}

module.exports = { Cell, mapReferences, parseContent };
