'use strict';

const { forEachItem } = require('./expression');
const { areaOf, isReference } = require('./references');
const { sheetKey } = require('./sheetnames');

/** Symbols stand for the sheets and names that formulas mention, whether they exist or not. */
const sheetSymbol = (sheetName) => `sheet ${sheetKey(sheetName)}`;
const nameSymbol = (key) => `name ${key}`;

/**
 * What a formula mentions, by itself and by the names in it:
 * - areas: { sheet, area } for each reference to a sheet that exists
 * - symbols: a set of all symbols
 *
 * @param {object[]} formula an expression
 * @param {Sheet} sheet the one that the formula is on
 * @param {Workbook} workbook
 */
function mentionsOf(formula, sheet, workbook) {
  const search = new Search(workbook, sheet);
  search.queue.push({ expression: formula, areCounted: true });
  while (search.queue.length > 0) search.visitExpression(search.queue.pop());
  return { areas: search.areas, symbols: search.symbols };
}

class Search {
  constructor(workbook, sheet) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.areas = [];
    this.symbols = new Set();
    /**
     * The expressions that are still to be visited. Names that lead back to themselves mention nothing, so areas are not
     * counted there, but it matters what the names and sheets are that they lead to.
     */
    this.queue = [];
    this.queued = new Set();
  }

  visitExpression({ expression, areCounted }) {
    forEachItem(expression, (item) => {
      if (isReference(item)) this.visitReference(item, areCounted);
      else if (item.type === 'name') this.visitName(this.workbook.names.keyOf(item.name), areCounted);
    });
  }

  visitReference(reference, isCounted) {
    if (reference.sheetName !== null) this.symbols.add(sheetSymbol(reference.sheetName));
    const sheet = this.workbook.sheetOf(reference, this.sheet);
    if (isCounted && sheet !== undefined) this.areas.push({ sheet, area: areaOf(reference) });
  }

  visitName(key, isCounted) {
    const { names } = this.workbook;
    this.symbols.add(nameSymbol(key));
    if (!names.has(key)) return;
    const areCounted = isCounted && !names.isCyclic(key);
    const id = `${areCounted} ${key}`;
    if (this.queued.has(id)) return;
    this.queued.add(id);
    this.queue.push({ expression: names.formulaOf(key), areCounted });
  }
}

module.exports = { mentionsOf, nameSymbol, sheetSymbol };
