'use strict';

/** A priority queue: `pop` gives the element with the least rank. */
class Heap {
  /** @param {function} rankOf gives the rank of an element, a number */
  constructor(rankOf) {
    this.rankOf = rankOf;
    this.elements = [];
  }

  get size() {
    return this.elements.length;
  }

  push(element) {
    const { elements } = this;
    let i = elements.length;
    elements.push(element);
    while (i > 0) {
      const parent = (i - 1) >>> 1;
      if (this.rankOf(elements[parent]) <= this.rankOf(element)) break;
      elements[i] = elements[parent];
      i = parent;
    }
    elements[i] = element;
  }

  pop() {
    const { elements } = this;
    const first = elements[0];
    const last = elements.pop();
    if (elements.length > 0) this.sink(last);
    return first;
  }

  /** Puts an element at the top and lets it sink to its place. */
  sink(element) {
    const { elements } = this;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= elements.length) break;
      if (child + 1 < elements.length && this.rankOf(elements[child + 1]) < this.rankOf(elements[child])) child += 1;
      if (this.rankOf(element) <= this.rankOf(elements[child])) break;
      elements[i] = elements[child];
      i = child;
    }
    elements[i] = element;
  }
}

module.exports = { Heap };
