"use strict";

const SCHEDULED = "scheduled";
const READY = "ready";
const RUNNING = "running";
const DONE = "done";
const FAILED = "failed";

class Job {
  constructor(id, fields, now) {
    this.id = id;
    this.queue = fields.get("queue");
    this.payload = fields.get("payload");
    this.priority = fields.get("priority");
    this.maxAttempts = fields.get("max_attempts");
    this.due = now + fields.get("delay");
    this.state = now < this.due ? SCHEDULED : READY;
    this.attempts = 0;
    this.deadline = 0;
    this.result = null;
  }

  describe() {
    return { id: this.id, queue: this.queue, state: this.state, payload: this.payload };
  }

  stateAfterAttempt() {
    return this.attempts === this.maxAttempts ? FAILED : READY;
  }

  /** When the clock changes this job; undefined if it does not. */
  moment() {
    return { [SCHEDULED]: this.due, [RUNNING]: this.deadline }[this.state];
  }
}

module.exports = { DONE, Job, READY, RUNNING, SCHEDULED };
