'use strict';

const { mapReferences } = require('./expression');
const { parseFormula } = require('./parser');
const { copiedReference } = require('./references');
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
 * sheets, and cells can be moved with rows and columns.
 *
 * What is put into sheets, copied and calculated are units: cells that are in no array, and arrays (see ArrayFormula).
 * Units have
 * - sheet, cells
 * - formula: an expression, or null
 * - mentions: what the formula mentions, see mentions.js; null as long as it is not known
 * - isStale: whether the values are out of date; all units that depend on a stale unit are stale
 * - isInCycle: whether it depends on itself, as far as is known
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
    /** The array that the cell is in, or null. */
    this.array = null;
    this.value = formula === null ? value : undefined;
    this.formula = formula;
    this.mentions = null;
    this.isStale = formula !== null;
    this.isInCycle = false;
  }

  static inArray(address, array) {
    const cell = new Cell(address, { formula: null, value: undefined });
    cell.array = array;
    return cell;
  }

  /** The unit that the cell belongs to. */
  get unit() {
    return this.array ?? this;
  }

  /** The cells of the unit that the cell is. */
  get cells() {
    return [this];
  }

  get isEmpty() {
    return this.value === EMPTY;
  }

  /** The cell that it is to become when it is emptied. */
  emptied() {
    return new Cell(this, EMPTY_CONTENT);
  }

  /** The same, but newly put and not yet calculated. */
  fresh() {
    return new Cell(this, this);
  }

  /** The same on another sheet. */
  onSheet(sheet) {
    return new Cell({ sheet, row: this.row, column: this.column }, this);
  }

  /** A copy so many rows and columns away, on a sheet. */
  copiedBy(rows, columns, sheet) {
    return new Cell(
      { sheet, row: this.row + rows, column: this.column + columns },
      {
        formula: this.formula && mapReferences(this.formula, (reference) => copiedReference(reference, rows, columns)),
        value: this.value,
      },
    );
  }

  /** Puts an item `change(reference)` instead of each reference in the formula. */
  changeReferences(change) {
    if (this.formula !== null) this.formula = mapReferences(this.formula, change);
  }
}

/** @returns {Set} the units that these cells belong to, in the order of their first cells among these */
function unitsOf(cells) {
  return new Set(cells.map((cell) => cell.unit));
}

module.exports = { Cell, EMPTY_CONTENT, parseContent, unitsOf };
