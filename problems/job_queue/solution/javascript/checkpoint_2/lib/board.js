"use strict";

const { conflict, notFound } = require("./errors");
const { DONE, Job, READY, RUNNING, SCHEDULED } = require("./job");

/** All jobs and the clock. A method that throws has changed nothing. */
class Board {
  constructor() {
    this.now = 0;
    this.jobs = new Map();
  }

  find(id) {
    const job = this.jobs.get(id);
    if (!job) {
      throw notFound();
    }
    return job;
  }

  /** How many jobs of a queue are in each state. */
  count(queue) {
    const counts = {};
    for (const { state } of this.list({ queue })) {
      counts[state] = (counts[state] ?? 0) + 1;
    }
    return counts;
  }

  /** The jobs of a queue and a state, by id; undefined stands for any. */
  list({ queue, state }) {
    const isAsked = (job) => (queue ?? job.queue) === job.queue && (state ?? job.state) === job.state;
    return [...this.jobs.values()].filter(isAsked);
  }

  /** Moves the clock on; what is due by then happens. */
  advance(seconds) {
    this.now += seconds;
    for (const job of this.jobs.values()) {
      if (job.moment() <= this.now) {
        job.state = job.state === SCHEDULED ? READY : job.stateAfterAttempt();
      }
    }
  }

  submit(fields) {
    const job = new Job(this.jobs.size + 1, fields, this.now);
    this.jobs.set(job.id, job);
    return job;
  }

  /** Gives the most urgent ready job, now running; undefined if there is none. */
  claim(queue, lease) {
    const ready = this.list({ queue, state: READY });
    const [job] = ready.sort((one, other) => other.priority - one.priority || one.id - other.id);
    if (job) {
      job.attempts += 1;
      job.deadline = this.now + lease;
      job.state = RUNNING;
    }
    return job;
  }

  /** The job, if it runs and this is its attempt. */
  running(id, attempt) {
    const job = this.find(id);
    if (job.state !== RUNNING || (attempt ?? job.attempts) !== job.attempts) {
      throw conflict();
    }
    return job;
  }

  renew(id, attempt, lease) {
    const job = this.running(id, attempt);
    job.deadline = this.now + lease;
    return job;
  }

  finish(id, attempt, result) {
    const job = this.running(id, attempt);
    job.result = result;
    job.state = DONE;
    return job;
  }

  release(id, attempt) {
    const job = this.running(id, attempt);
    job.state = job.stateAfterAttempt();
    return job;
  }
}

module.exports = { Board };
