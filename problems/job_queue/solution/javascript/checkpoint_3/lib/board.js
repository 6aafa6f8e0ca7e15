"use strict";

const { conflict, notFound, unknownJob } = require("./errors");
const { BLOCKED, CANCELLED, DONE, Job, LOST, OVER, READY, RUNNING, SCHEDULED } = require("./job");

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

  /** Refuses ids that no job has. */
  require(ids) {
    if (!ids.every((id) => this.jobs.has(id))) {
      throw unknownJob();
    }
  }

  /** Moves the clock on, from one moment at which something is due to the next. */
  advance(seconds) {
    const until = this.now + seconds;
    const due = [...this.jobs.values()].filter((job) => job.moment() <= until);
    const moments = due.map((job) => ({ job, moment: job.moment() }));
    moments.sort((one, other) => one.moment - other.moment || one.job.id - other.job.id);
    for (const { job, moment } of moments) {
      this.now = moment;
      this.move(job, job.state === SCHEDULED ? READY : job.stateAfterAttempt());
    }
    this.now = until;
  }

  /** Makes a job, which has to wait for the jobs with the ids in `after`. */
  submit(fields, after) {
    const dependencies = after.map((id) => this.jobs.get(id));
    const job = new Job(this.jobs.size + 1, fields, this.now, dependencies);
    dependencies.forEach((other) => other.dependents.push(job));
    this.jobs.set(job.id, job);
    this.move(job, job.waitingState(this.now));
    return job;
  }

  /** Gives the most urgent ready job, now running; undefined if there is none. */
  claim(queue, lease) {
    const ready = this.list({ queue, state: READY });
    const [job] = ready.sort((one, other) => other.priority - one.priority || one.id - other.id);
    if (job) {
      job.attempts += 1;
      job.deadline = this.now + lease;
      this.move(job, RUNNING);
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
    return this.move(job, DONE);
  }

  release(id, attempt) {
    const job = this.running(id, attempt);
    return this.move(job, job.stateAfterAttempt());
  }

  cancel(id) {
    const job = this.find(id);
    if (OVER.includes(job.state)) {
      throw conflict();
    }
    return this.move(job, CANCELLED);
  }

  /** Brings a job into a state, and those along that wait for it. */
  move(job, state) {
    job.state = state;
    if (state === DONE) {
      for (const other of waiting(job.dependents)) {
        other.state = other.waitingState(this.now);
      }
    } else if (LOST.includes(state)) {
      for (const other of allWaitingFor(job)) {
        other.state = CANCELLED;
      }
    }
    return job;
  }
}

function waiting(jobs) {
  return jobs.filter((job) => job.state === BLOCKED);
}

/** The blocked jobs that wait for this one, directly or not. */
function allWaitingFor(job) {
  const found = new Set();
  const pending = [job];
  while (pending.length > 0) {
    for (const other of waiting(pending.pop().dependents)) {
      if (!found.has(other)) {
        found.add(other);
        pending.push(other);
      }
    }
  }
  return found;
}

module.exports = { Board };
