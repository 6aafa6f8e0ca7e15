"use strict";

const { conflict, notFound } = require("./errors");
const { DONE, Job, READY, RUNNING } = require("./job");

/** All jobs. A method that throws has changed nothing. */
class Board {
  constructor() {
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
    for (const job of this.jobs.values()) {
      if (job.queue === queue) {
        counts[job.state] = (counts[job.state] ?? 0) + 1;
      }
    }
    return counts;
  }

  submit(queue, payload) {
    const job = new Job(this.jobs.size + 1, queue, payload);
    this.jobs.set(job.id, job);
    return job;
  }

  /** Gives the first ready job, now running; undefined if there is none. */
  claim(queue) {
    const job = [...this.jobs.values()].find((one) => one.queue === queue && one.state === READY);
    if (job) {
      job.attempts += 1;
      job.state = RUNNING;
    }
    return job;
  }

  running(id) {
    const job = this.find(id);
    if (job.state !== RUNNING) {
      throw conflict();
    }
    return job;
  }

  finish(id, result) {
    const job = this.running(id);
    job.result = result;
    job.state = DONE;
    return job;
  }

  release(id) {
    const job = this.running(id);
    job.state = READY;
    return job;
  }
}

module.exports = { Board };
