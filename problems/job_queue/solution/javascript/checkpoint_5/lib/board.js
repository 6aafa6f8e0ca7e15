"use strict";

const { conflict, cycle, notFound, unknownJob } = require("./errors");
const { Job } = require("./job");
const { Schedule } = require("./schedule");
const { BLOCKED, CANCELLED, CONDITIONS, DONE, OVER, READY, RUNNING, SCHEDULED, WAITING } = require("./states");

/** All jobs, their history and the clock. A method that throws has changed nothing. */
class Board {
  constructor() {
    this.now = 0;
    this.jobs = new Map();
    this.events = [];
    this.limits = new Map();
    this.schedule = new Schedule();
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
    for (const { moment, job } of this.schedule.due(until)) {
      this.now = moment;
      if (job.state === RUNNING) {
        this.endAttempt(job);
      } else {
        this.move(job, job.stateWhenDue(moment));
      }
    }
    this.now = until;
  }

  /** Makes a job, which has to wait for the items of `after`. */
  submit(fields, after) {
    const job = new Job(this.jobs.size + 1, fields, this.now);
    job.waitFor(this.resolve(after));
    this.jobs.set(job.id, job);
    this.move(job, job.waitingState(this.now));
    return job;
  }

  resolve(after) {
    return after.map((item) => ({ job: this.jobs.get(item.get("id")), awaited: CONDITIONS[item.get("on")] }));
  }

  /** Changes what a job that no worker has was submitted with. */
  edit(id, changes) {
    const job = this.find(id);
    if (!WAITING.includes(job.state)) {
      throw conflict();
    }
    if (changes.has("after")) {
      this.replaceAfter(job, changes.get("after"));
    }
    job.queue = changes.get("queue") ?? job.queue;
    job.priority = changes.get("priority") ?? job.priority;
    job.maxAttempts = changes.has("max_attempts") ? changes.get("max_attempts") : job.maxAttempts;
    const state = job.waitingState(this.now);
    return state === job.state ? job : this.move(job, state);
  }

  replaceAfter(job, after) {
    this.require(after.map((item) => item.get("id")));
    const items = this.resolve(after);
    if (job.isAwaitedBy(items.map((item) => item.job))) {
      throw cycle();
    }
    job.waitFor(items);
  }

  /** Gives the most urgent ready job, now running; undefined if there is none. */
  claim(queue, lease) {
    const limit = this.limits.get(queue) ?? Infinity;
    if (this.list({ queue, state: RUNNING }).length >= limit) {
      return undefined;
    }
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
    this.schedule.enter(job);
    return job;
  }

  finish(id, attempt, result) {
    const job = this.running(id, attempt);
    job.result = result;
    return this.move(job, DONE);
  }

  release(id, attempt) {
    return this.endAttempt(this.running(id, attempt));
  }

  /** Ends a running attempt without success. */
  endAttempt(job) {
    const state = job.stateAfterAttempt(this.now);
    if (state === SCHEDULED) {
      job.due = this.now + job.backoffWait();
    }
    return this.move(job, state);
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
    const before = job.state;
    job.state = state;
    this.record(job, before);
    if (OVER.includes(state)) {
      this.settle(job).forEach((other) => this.record(other, BLOCKED));
    }
    return job;
  }

  /** Brings the blocked jobs that wait for this one, directly or not, into their states; gives them by id. */
  settle(job) {
    const over = [job];
    const changed = [];
    while (over.length > 0) {
      for (const other of over.pop().dependents.values()) {
        if (other.state === BLOCKED) {
          other.state = other.waitingState(this.now);
          if (other.state !== BLOCKED) {
            changed.push(other);
          }
          if (other.state === CANCELLED) {
            over.push(other);
          }
        }
      }
    }
    return changed.sort((one, other) => one.id - other.id);
  }

  /** Notes that a job has left the state before. */
  record(job, before) {
    this.events.push({ seq: this.events.length + 1, at: this.now, job: job.id, from: before, to: job.state });
    this.schedule.enter(job);
  }
}

module.exports = { Board };
