'use strict';

const { ArrayValue, placeByPlace } = require('./arrayvalue');
const { Decimal } = require('./decimal');
const { CYCLE, NAME, REF, VALUE, mostSevere } = require('./errors');
const { isReference } = require('./expression');
const { FUNCTIONS } = require('./functions');
const { areaOf } = require('./references');
const { Region } = require('./region');
const { EMPTY } = require('./values');

/**
 * Evaluates the expressions of formulas on a sheet. None of the cells that they mention must be stale. There are two
 * modes: in formulas of cells ('single'), all values are single values; in those of arrays ('array'), there can also be
 * array values.
 */
class Evaluator {
  /**
   * @param {string} mode
   * @param {Workbook} workbook
   * @param {Sheet} sheet
   * @param {number} version of the workbook: the values of names are the same as long as it is
   */
  constructor(mode, workbook, sheet, version) {
    this.mode = mode;
    this.workbook = workbook;
    this.sheet = sheet;
    this.version = version;
  }

  get isForArrays() {
    return this.mode === 'array';
  }

  evaluate(expression) {
    const stack = [];
    for (const item of expression) {
      if (item.type === 'operator') {
        const { operator } = item;
        const operands = stack.splice(-operator.operandPrecedences.length);
        stack.push(placeByPlace(operands, (singles) => applyOperator(operator, singles)));
      } else {
        stack.push(this.valueOfOperand(item));
      }
    }
    return stack[0];
  }

  /** @returns {Region | null} the region that an expression refers to, null if it is no reference */
  regionOf(expression) {
    const { names } = this.workbook;
    let current = expression;
    for (;;) {
      if (current.length !== 1) return null;
      const [item] = current;
      if (isReference(item)) {
        const sheet = this.workbook.sheetOf(item, this.sheet);
        return sheet === undefined ? null : new Region(sheet.grid, areaOf(item));
      }
      if (item.type !== 'name') return null;
      const key = names.keyOf(item.name);
      if (!names.has(key) || names.isCyclic(key)) return null;
      current = names.formulaOf(key);
    }
  }

  valueOfOperand(item) {
    switch (item.type) {
      case 'constant':
        return item.value;
      case 'cell': {
        const sheet = this.workbook.sheetOf(item, this.sheet);
        return sheet === undefined ? REF : sheet.grid.get(item.corner)?.value ?? EMPTY;
      }
      case 'range': {
        const sheet = this.workbook.sheetOf(item, this.sheet);
        return sheet === undefined ? REF : this.valueOfRange(new Region(sheet.grid, areaOf(item)));
      }
      case 'name':
        return this.valueOfName(item.name);
      case 'call': {
        const definition = FUNCTIONS.get(item.name);
        return definition === undefined ? NAME : definition.call(item.args, this);
      }
      default:
        throw new Error(`unknown item ${item.type}`);
    }
  }

  valueOfRange(region) {
    if (!this.isForArrays) return VALUE;
    if (region.size === 1) return region.valueAt(1, 1);
    return ArrayValue.build(region.rows, region.columns, (row, column) => region.valueAt(row + 1, column + 1));
  }

  /** The value of a name's formula. All references in it name their sheets, so it is the same on every sheet. */
  valueOfName(name) {
    const { names } = this.workbook;
    const key = names.keyOf(name);
    if (!names.has(key)) return NAME;
    if (names.isCyclic(key)) return CYCLE;
    return names.valueOf(key, this.mode, this.version, (formula) => this.evaluate(formula));
  }
}

/** Applies an operator to single values. */
function applyOperator({ convert, apply }, operands) {
  const error = mostSevere(operands);
  if (error !== null) return error;
  if (convert === null) return apply(...operands);
  const converted = operands.map(convert);
  return mostSevere(converted) ?? apply(...converted);
}

/**
 * The values of the cells of a unit with a formula, in their order; the formula of an array fills its cells place by
 * place.
 */
function valuesOfUnit(unit, workbook, version) {
  const isArray = unit.cells[0].array === unit;
  const result = new Evaluator(isArray ? 'array' : 'single', workbook, unit.sheet, version).evaluate(unit.formula);
  const array = ArrayValue.from(result);
  const [first] = unit.cells;
  return unit.cells.map((cell) => {
    const value = array.forPlace(cell.row - first.row, cell.column - first.column);
    return value === EMPTY ? Decimal.ZERO : value;
  });
}

module.exports = { valuesOfUnit };
