"use strict";

const { Fraction } = require("./fraction");
const { Heap } = require("./heap");
const { READY, RUNNING } = require("./states");

class Queue {
  constructor(name) {
    this.name = name;
    this.weight = 1;
    this.turn = new Fraction(0n);
    this.limit = null;
    this.counts = new Map();
    this.ready = new Heap(
      (one, other) => one.priority > other.priority || (one.priority === other.priority && one.id < other.id),
    );
  }

  describe() {
    return { weight: this.weight, turn: String(this.turn) };
  }

  has(state) {
    return this.counts.get(state) ?? 0;
  }

  isBusy() {
    return this.has(READY) + this.has(RUNNING) > 0;
  }

  /** Tells whether there is a job that may run. */
  canGive() {
    return this.has(READY) > 0 && this.has(RUNNING) < (this.limit ?? Infinity);
  }

  isBefore(other) {
    return this.turn.isLess(other.turn) || (!other.turn.isLess(this.turn) && this.name < other.name);
  }
}

/** All queues that were ever named, and whose turn it is. */
class Queues {
  constructor(changes, jobs) {
    this.changes = changes;
    this.jobs = jobs;
    this.byName = new Map();
  }

  /** The queue of this name; one that was not there before is as good as one that was. */
  find(name) {
    if (!this.byName.has(name)) {
      this.byName.set(name, new Queue(name));
    }
    return this.byName.get(name);
  }

  /** Counts a job of this queue in the one state no more, but in the other; null stands for no state. */
  shift(name, before, after) {
    const queue = this.find(name);
    const wasBusy = queue.isBusy();
    if (before !== null) {
      this.changes.put(queue.counts, before, queue.has(before) - 1);
    }
    if (after !== null) {
      this.changes.put(queue.counts, after, queue.has(after) + 1);
    }
    if (queue.isBusy() && !wasBusy) {
      this.catchUp(queue);
    }
  }

  /** Brings a queue that was idle up to the others. */
  catchUp(queue) {
    const others = [...this.byName.values()].filter((other) => other !== queue && other.isBusy());
    if (others.length > 0) {
      const { turn } = others.reduce((first, other) => (other.turn.isLess(first.turn) ? other : first));
      this.changes.set(queue, "turn", queue.turn.isLess(turn) ? turn : queue.turn);
    }
  }

  /** Remembers that a job may be claimed; what it was entered for before is passed over once it is otherwise. */
  enter(job) {
    if (job.state === READY) {
      this.find(job.queue).ready.push({ priority: job.priority, id: job.id });
    }
  }

  /** The job that is claimed next from these queues; undefined if there is none. */
  takeJob(names) {
    const queues = names.map((name) => this.find(name)).filter((queue) => queue.canGive());
    if (queues.length === 0) {
      return undefined;
    }
    const queue = queues.reduce((first, other) => (other.isBefore(first) ? other : first));
    while (!this.isClaimable(queue, queue.ready.first())) {
      queue.ready.pop();
    }
    this.changes.set(queue, "turn", queue.turn.plus(new Fraction(1n, BigInt(queue.weight))));
    return this.jobs.get(queue.ready.pop().id);
  }

  /** Tells whether an entry still holds. */
  isClaimable(queue, { priority, id }) {
    const job = this.jobs.get(id);
    return job?.state === READY && job.queue === queue.name && job.priority === priority;
  }
}

module.exports = { Queues };
