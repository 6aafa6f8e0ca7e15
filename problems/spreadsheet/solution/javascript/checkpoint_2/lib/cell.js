'use strict';

const { itemsOf, mapItems } = require('./expression');
const { parseFormula } = require('./parser');
const { printExpression } = require('./printer');
const { areaOf, copiedReference, isReference } = require('./references');
const { showValue, valueOfContent } = require('./values');

/**
 * A cell that is not empty. What it holds does not change: another content is another cell. The value of a cell with a
 * formula is not known as long as it is stale; all cells that depend on a stale cell are stale.
 */
class Cell {
  /**
   * @param {{row: number, column: number}} address
   * @param {object[] | null} formula an expression, null if the cell has none
   * @param value the value of a cell without a formula
   */
  constructor({ row, column }, formula, value) {
    this.row = row;
    this.column = column;
    this.formula = formula;
    this.value = value;
    this.isStale = formula !== null;
    /** The areas that the formula mentions. */
    this.precedents = formula === null ? [] : mentionedAreas(formula);
  }

  /** @throws {FormulaError} */
  static ofContent(address, content) {
    if (content.startsWith('=')) return new Cell(address, parseFormula(content.slice(1)), undefined);
    return new Cell(address, null, valueOfContent(content));
  }

  /** What `source` shows. */
  get source() {
    return this.formula === null ? showValue(this.value) : '=' + printExpression(this.formula);
  }

  /** A copy of the cell at another address. */
  copiedTo(address) {
    if (this.formula === null) return new Cell(address, null, this.value);
    const rows = address.row - this.row;
    const columns = address.column - this.column;
    const formula = mapItems(this.formula, (item) => (isReference(item) ? copiedReference(item, rows, columns) : item));
    return new Cell(address, formula, undefined);
  }
}

function mentionedAreas(formula) {
  const areas = [];
  for (const item of itemsOf(formula)) {
    if (isReference(item)) areas.push(areaOf(item));
  }
  return areas;
}

module.exports = { Cell };
