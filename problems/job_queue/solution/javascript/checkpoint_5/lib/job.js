"use strict";

const { BLOCKED, CANCELLED, FAILED, OVER, READY, RUNNING, SCHEDULED, WAITING } = require("./states");

const LONGEST_WAIT = 1e9;

class Job {
  constructor(id, fields, now) {
    this.id = id;
    this.queue = fields.get("queue");
    this.payload = fields.get("payload");
    this.priority = fields.get("priority");
    this.maxAttempts = fields.get("max_attempts") ?? null;
    this.backoff = fields.get("backoff");
    this.due = now + fields.get("delay");
    this.expiry = now + (fields.get("expires") ?? Infinity);
    this.after = [];
    this.dependents = new Map();
    this.state = null;
    this.attempts = 0;
    this.deadline = 0;
    this.result = null;
  }

  describe() {
    return { id: this.id, queue: this.queue, state: this.state, payload: this.payload };
  }

  /** Lets the job wait for these items, each another job and the awaited states of it, and for no others. */
  waitFor(after) {
    this.after.forEach(({ job }) => job.dependents.delete(this.id));
    this.after = after;
    after.forEach(({ job }) => job.dependents.set(this.id, this));
  }

  /** The state of a job that no worker has. */
  waitingState(now) {
    const open = this.after.filter(({ job, awaited }) => !awaited.includes(job.state));
    if (open.some(({ job }) => OVER.includes(job.state))) {
      return CANCELLED;
    }
    if (open.length > 0) {
      return BLOCKED;
    }
    return now < this.due ? SCHEDULED : READY;
  }

  /** How long the job waits after its latest attempt. */
  backoffWait() {
    return Math.min(this.backoff * 2 ** (this.attempts - 1), LONGEST_WAIT);
  }

  stateAfterAttempt(now) {
    const isUsedUp = this.maxAttempts !== null && this.attempts >= this.maxAttempts;
    if (isUsedUp || this.expiry <= now) {
      return FAILED;
    }
    return this.backoff > 0 ? SCHEDULED : READY;
  }

  /** The state that the clock brings about at this job's moment, unless it ends an attempt. */
  stateWhenDue(now) {
    return this.expiry <= now ? CANCELLED : READY;
  }

  /** When the clock changes this job next; Infinity if it never does. */
  moment() {
    if (this.state === RUNNING) {
      return this.deadline;
    }
    const due = this.state === SCHEDULED ? this.due : Infinity;
    return WAITING.includes(this.state) ? Math.min(due, this.expiry) : Infinity;
  }

  /** Tells whether the job would wait for itself if it waited for these, whatever their states. */
  isAwaitedBy(others) {
    const seen = new Set(others);
    for (const other of seen) {
      other.after.forEach(({ job }) => seen.add(job));
    }
    return seen.has(this);
  }
}

module.exports = { Job };
