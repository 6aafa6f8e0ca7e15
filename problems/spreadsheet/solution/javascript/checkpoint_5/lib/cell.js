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
 * A cell that holds something. Another content is another cell; but references can be kept in step with what happens to
 * sheets, and cells can be moved with rows and columns. The value of a cell with
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

  /** The same, but newly put and not yet calculated. */
  fresh() {
    return new Cell(this, this);
  }

  /** Puts an item `change(reference)` instead of each reference in the formula. */
  changeReferences(change) {
    if (this.formula !== null) this.formula = mapReferences(this.formula, change);
  }
}

function mapReferences(expression, change) {
  return mapItems(expression, (item) => (isReference(item) ? change(item) : item));
}

module.exports = { Cell, EMPTY_CONTENT, mapReferences, parseContent };
