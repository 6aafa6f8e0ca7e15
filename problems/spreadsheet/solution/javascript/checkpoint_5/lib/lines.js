'use strict';

const { MAX_COLUMN, MAX_ROW } = require('./address');

/** The last line along an axis: 'row' or 'column', like the properties of addresses. */
const LAST_LINE = { row: MAX_ROW, column: MAX_COLUMN };

/**
 * Lines (rows or columns, by `axis`) that are inserted or deleted, from the line `at` on.
 * - lineAfter(line): where a line is afterwards, null if it is no more
 * - spanAfter(first, last): { first, last, isSame } of what becomes of lines next to each other, null if nothing is left;
 *   isSame if they are the same lines as before
 */
class LineChange {
  constructor(axis, at, count) {
    this.axis = axis;
    this.at = at;
    this.count = count;
    this.lastLine = LAST_LINE[axis];
  }

  /** Whether anything becomes of an area but what it is. */
  concerns(area) {
    return (this.axis === 'row' ? area.bottom : area.right) >= this.at;
  }
}

class Insertion extends LineChange {
  /** Whether it would push one of the cells off the sheet. */
  isOutOfBounds(cells) {
    return cells.some((cell) => this.lineAfter(cell[this.axis]) === null);
  }

  lineAfter(line) {
    const after = this.shifted(line);
    return after > this.lastLine ? null : after;
  }

  spanAfter(first, last) {
    const firstAfter = this.lineAfter(first);
    if (firstAfter === null) return null;
    const lastAfter = this.shifted(last);
    const isSame = lastAfter <= this.lastLine && lastAfter - firstAfter === last - first;
    return { first: firstAfter, last: Math.min(lastAfter, this.lastLine), isSame };
  }

  shifted(line) {
    return line < this.at ? line : line + this.count;
  }
}

class Deletion extends LineChange {
  /** Whether it would go beyond the last line. */
  isOutOfBounds() {
    return this.end - 1 > this.lastLine;
  }

  lineAfter(line) {
    if (line < this.at) return line;
    return line < this.end ? null : line - this.count;
  }

  spanAfter(first, last) {
    const firstAfter = first < this.at ? first : Math.max(this.at, first - this.count);
    const lastAfter = last < this.at ? last : Math.max(this.at - 1, last - this.count);
    if (lastAfter < firstAfter) return null;
    return { first: firstAfter, last: lastAfter, isSame: lastAfter - firstAfter === last - first };
  }

  /** The first line after those that are deleted. */
  get end() {
    return this.at + this.count;
  }
}

module.exports = { Deletion, Insertion };
