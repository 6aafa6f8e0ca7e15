'use strict';

const { Area } = require('./address');
const { Cell } = require('./cell');
const { mapReferences } = require('./expression');
const { copiedReference } = require('./references');

/**
 * A formula that fills an area: together with its cells, an array. Like a cell with a formula, it is a unit of the
 * calculation (see Cell).
 */
class ArrayFormula {
  constructor({ sheet, area }, formula) {
    this.sheet = sheet;
    this.formula = formula;
    this.isStale = true;
    this.isInCycle = false;
    this.mentions = null;
    /** The cells, row by row. */
    this.cells = [];
    for (let row = area.top; row <= area.bottom; row += 1) {
      for (let column = area.left; column <= area.right; column += 1) {
        this.cells.push(Cell.inArray({ sheet, row, column }, this));
      }
    }
  }

  /** The area of its cells, wherever they are moved. */
  get area() {
    return Area.between(this.cells[0], this.cells[this.cells.length - 1]);
  }

  onSheet(sheet) {
    return new ArrayFormula({ sheet, area: this.area }, this.formula);
  }

  copiedBy(rows, columns, sheet) {
    const { area } = this;
    const formula = mapReferences(this.formula, (reference) => copiedReference(reference, rows, columns));
    return new ArrayFormula({ sheet, area: area.movedTo({ row: area.top + rows, column: area.left + columns }) }, formula);
  }

  changeReferences(change) {
    this.formula = mapReferences(this.formula, change);
  }
}

module.exports = { ArrayFormula };
