'use strict';

const { caseFold } = require('./casefold');
const { lengthOf } = require('./codepoints');
const { isName } = require('./words');

/** Names of sheets: as such, and as they are written in commands and formulas. */

const MAX_LENGTH = 31;
const FORBIDDEN = /^ | $|[!:[\]*?/\\]/;
const QUOTED = /^'((?:[^']|'')*)'$/;

/** @returns {string | null} the name that is written like this, null if it cannot be a sheet's name */
function parseSheetName(text) {
  const quoted = QUOTED.exec(text);
  if (quoted === null) return isName(text) && isSheetName(text) ? text : null;
  const name = quoted[1].replaceAll("''", "'");
  return isSheetName(name) ? name : null;
}

function isSheetName(name) {
  return name !== '' && !FORBIDDEN.test(name) && lengthOf(name) <= MAX_LENGTH;
}

/** The name as it is written: plainly, if possible. */
function showSheetName(name) {
  return isName(name) ? name : `'${name.replaceAll("'", "''")}'`;
}

/** Names with the same key are the same. */
function sheetKey(name) {
  return caseFold(name);
}

/**
 * Splits what may begin with a sheet's name and `!`.
 * @returns {{sheetName: string | null, rest: string} | null} null if there is a `!`, but no sheet's name before it
 */
function splitSheetName(text) {
  const [, written, rest] = /^(?:('(?:[^']|'')*'|[^'!]*)!)?(.*)$/s.exec(text);
  if (written === undefined) return { sheetName: null, rest };
  const sheetName = parseSheetName(written);
  return sheetName === null ? null : { sheetName, rest };
}

module.exports = { parseSheetName, showSheetName, sheetKey, splitSheetName };
