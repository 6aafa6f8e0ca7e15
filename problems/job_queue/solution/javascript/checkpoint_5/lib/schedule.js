"use strict";

/** The moments of jobs, in a heap. What a job was entered for before is passed over once its moment is another. */
class Schedule {
  constructor() {
    this.entries = [];
  }

  enter(job) {
    const moment = job.moment();
    if (moment < Infinity) {
      this.push({ moment, job });
    }
  }

  /** Gives jobs by their moments up to this time, and by their ids, while they change. */
  *due(until) {
    while (this.entries.length > 0 && this.entries[0].moment <= until) {
      const entry = this.pop();
      if (entry.job.moment() === entry.moment) {
        yield entry;
      }
    }
  }

  push(entry) {
    let at = this.entries.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, this.entries[parent])) {
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
    while (child !== undefined && isBefore(this.entries[child], entry)) {
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
    return right < this.entries.length && isBefore(this.entries[right], this.entries[left]) ? right : left;
  }
}

function isBefore(one, other) {
  return one.moment < other.moment || (one.moment === other.moment && one.job.id < other.job.id);
}

module.exports = { Schedule };
