'use strict';

const { itemsOf } = require('./expression');
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
  const areas = [];
  const symbols = new Set();
  // Names that lead back to themselves mention nothing, but it matters what the names are that they lead to.
  const queue = [{ expression: formula, areCounted: true }];
  const counted = new Set();
  const uncounted = new Set();
  while (queue.length > 0) {
    const { expression, areCounted } = queue.pop();
    for (const item of itemsOf(expression)) {
      if (isReference(item)) {
        if (item.sheetName !== null) symbols.add(sheetSymbol(item.sheetName));
        const referredSheet = workbook.sheetOf(item, sheet);
        if (areCounted && referredSheet !== undefined) areas.push({ sheet: referredSheet, area: areaOf(item) });
      } else if (item.type === 'name') {
        const key = workbook.names.keyOf(item.name);
        symbols.add(nameSymbol(key));
        const named = workbook.names.formulaOf(key);
        const countsThere = areCounted && !workbook.names.isCyclic(key);
        const queued = countsThere ? counted : uncounted;
        if (named === undefined || queued.has(key)) continue;
        queued.add(key);
        queue.push({ expression: named, areCounted: countsThere });
      }
    }
  }
  return { areas, symbols };
}

module.exports = { mentionsOf, nameSymbol, sheetSymbol };
