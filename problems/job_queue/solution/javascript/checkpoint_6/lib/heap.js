"use strict";

/** Entries of which the first by the given order can be looked at and taken. */
class Heap {
  constructor(isBefore) {
    this.isBefore = isBefore;
    this.entries = [];
  }

  /** The first entry; undefined if there is none. */
  first() {
    return this.entries[0];
  }

  push(entry) {
    let at = this.entries.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(entry, this.entries[parent])) {
        break;
      }
      this.entries[at] = this.entries[parent];
      at = parent;
    }
    this.entries[at] = entry;
  }

  pop() {
    const [first] = this.entries;
    const last = this.entries.pop();
    if (this.entries.length > 0) {
      this.sink(last);
    }
    return first;
  }

  /** Puts an entry in place of the first. */
  sink(entry) {
    let at = 0;
    let child = this.smallerChild(at);
    while (child !== undefined && this.isBefore(this.entries[child], entry)) {
      this.entries[at] = this.entries[child];
      at = child;
      child = this.smallerChild(at);
    }
    this.entries[at] = entry;
  }

  smallerChild(at) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    if (left >= this.entries.length) {
      return undefined;
    }
    return right < this.entries.length && this.isBefore(this.entries[right], this.entries[left]) ? right : left;
  }
}

module.exports = { Heap };
