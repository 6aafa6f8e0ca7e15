'use strict';

/** U+0131, dotless i, is its own folding, though its capital is that of `i`. */
const DOTLESS_I = '\u0131';
/** Unlike all other letters, those of the Cherokee script are folded to capitals. */
const CHEROKEE = /^[\u13a0-\u13fd\uab70-\uabbf]$/;

const ASCII_ONLY = /^[\x00-\x7f]*$/;

/** The full case folding of a single character, as Unicode's CaseFolding.txt (statuses C and F) has it. */
function foldCharacter(character) {
  if (character === DOTLESS_I) return character;
  if (CHEROKEE.test(character)) return character.toUpperCase();
  return character.toLowerCase().toUpperCase().toLowerCase();
}

/** The full case folding of a text, independent of any locale. */
function caseFold(text) {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

/** @returns {number} negative, 0 or positive, as `a` stands before, with or after `b` by their code points */
function compareCodePoints(a, b) {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  if (i === length) return a.length - b.length;
  return codePointRank(a.charCodeAt(i)) - codePointRank(b.charCodeAt(i));
}

/** Code units in the order of the code points that they stand for: surrogates come last. */
function codePointRank(unit) {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

module.exports = { caseFold, compareCodePoints };
