'use strict';

const { mapItems } = require('./expression');
const { parseFormula } = require('./parser');
const { copiedReference, isReference } = require('./references');
const { valueOfContent } = require('./values');

/**
 * What a cell can hold: { formula, value }. The formula is an expression, or null if there is none; then there is a
 * value.
 * @throws {FormulaError}
 */
function parseContent(text) {
  if (text.startsWith('=')) return { formula: parseFormula(text.slice(1)), value: undefined };
  return { formula: null, value: valueOfContent(text) };
}

/**
 * A cell that is not empty. What it holds does not change: another content is another cell. The value of a cell with a
 * formula is not known as long as it is stale; all cells that depend on a stale cell are stale.
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
    this.value = value;
    this.isStale = formula !== null;
    /** What the formula mentions; see mentions.js. */
    this.mentions = null;
  }

  /** The same on another sheet. */
  onSheet(sheet) {
    return new Cell({ sheet, row: this.row, column: this.column }, this);
  }

  /** A copy of the cell at another address. */
  copiedTo(address) {
    const rows = address.row - this.row;
    const columns = address.column - this.column;
    return new Cell(address, this).withReferences((reference) => copiedReference(reference, rows, columns));
  }

  /** The cell with an item `change(reference)` instead of each reference in its formula. */
  withReferences(change) {
    if (this.formula === null) return this;
    return new Cell(this, { formula: mapReferences(this.formula, change), value: undefined });
  }
}

function mapReferences(expression, change) {
  return mapItems(expression, (item) => (isReference(item) ? change(item) : item));
}

module.exports = { Cell, mapReferences, parseContent };
