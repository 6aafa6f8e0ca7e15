'use strict';

/** Texts as sequences of code points; the texts here never have surrogates without their other half. */

const SURROGATE = /[\ud800-\udfff]/;

function hasPairs(text) {
  return SURROGATE.test(text);
}

/** How many code points a text has. */
function lengthOf(text) {
  return hasPairs(text) ? [...text].length : text.length;
}

/** Like `text.slice(start, end)`, counted by code points; the places are not negative. */
function slice(text, start, end) {
  return hasPairs(text) ? [...text].slice(start, end).join('') : text.slice(start, end);
}

/**
 * Like `text.indexOf(sought, start)`, counted by code points, but an empty text is found only where a code point is,
 * or right after the last one.
 */
function indexOf(text, sought, start) {
  if (start > lengthOf(text)) return -1;
  const index = text.indexOf(sought, slice(text, 0, start).length);
  return index < 0 ? -1 : lengthOf(text.slice(0, index));
}

module.exports = { lengthOf, slice, indexOf };
