"use strict";

const BLOCKED = "blocked";
const SCHEDULED = "scheduled";
const READY = "ready";
const RUNNING = "running";
const DONE = "done";
const FAILED = "failed";
const CANCELLED = "cancelled";

const LOST = [FAILED, CANCELLED];
const OVER = [DONE, ...LOST];
const STATES = [BLOCKED, SCHEDULED, READY, RUNNING, ...OVER];

class Job {
  constructor(id, fields, now, after) {
    this.id = id;
    this.queue = fields.get("queue");
    this.payload = fields.get("payload");
    this.priority = fields.get("priority");
    this.maxAttempts = fields.get("max_attempts");
    this.due = now + fields.get("delay");
    this.after = after;
    this.dependents = [];
    this.state = null;
    this.attempts = 0;
    this.deadline = 0;
    this.result = null;
  }

  describe() {
    return { id: this.id, queue: this.queue, state: this.state, payload: this.payload };
  }

  /** The state of a job that no worker has. */
  waitingState(now) {
    const states = this.after.map((job) => job.state);
    if (states.some((state) => LOST.includes(state))) {
      return CANCELLED;
    }
    if (states.some((state) => state !== DONE)) {
      return BLOCKED;
    }
    return now < this.due ? SCHEDULED : READY;
  }

  stateAfterAttempt() {
    return this.attempts === this.maxAttempts ? FAILED : READY;
  }

  /** When the clock changes this job; undefined if it does not. */
  moment() {
    return { [SCHEDULED]: this.due, [RUNNING]: this.deadline }[this.state];
  }
}

module.exports = { BLOCKED, CANCELLED, DONE, Job, LOST, OVER, READY, RUNNING, SCHEDULED, STATES };
