"use strict";

const { Changes } = require("./changes");
const { conflict, cycle, notFound, unknownJob } = require("./errors");
const { Job } = require("./job");
const { Queues } = require("./queues");
const { Schedule } = require("./schedule");
const { BLOCKED, CANCELLED, CONDITIONS, DONE, OVER, RUNNING, SCHEDULED, WAITING } = require("./states");

/** All jobs, their history and the clock. A method that throws has changed nothing. */
class Board {
  constructor() {
    this.changes = new Changes();
    this.now = 0;
    this.jobs = new Map();
    this.events = [];
    this.queues = new Queues(this.changes, this.jobs);
    this.schedule = new Schedule(this.jobs);
    this.touched = new Set();
  }

  begin() {
    this.touched.clear();
    this.changes.begin();
  }

  commit() {
    this.changes.commit();
  }

  /** Takes back what has happened since the beginning. */
  undo() {
    this.changes.undo();
    const left = [...this.touched].filter((id) => this.jobs.has(id));
    left.forEach((id) => this.enter(this.jobs.get(id)));
  }

  /** The job of this id, if it was there after this event; undefined stands for now. */
  find(id, seq) {
    const job = this.jobs.get(id);
    if (!job || job.stateAt(seq) === null) {
      throw notFound();
    }
    return job;
  }

  /** How many jobs of a queue were in each state after an event. */
  count(queue, seq) {
    const counts = {};
    for (const job of this.list({ queue, seq })) {
      const state = job.stateAt(seq);
      counts[state] = (counts[state] ?? 0) + 1;
    }
    return counts;
  }

  /** The jobs of a queue and a state after an event, by id; undefined stands for any, and for now. */
  list({ queue, state, seq }) {
    const isAsked = (job) => {
      const then = job.stateAt(seq);
      return (queue ?? job.queue) === job.queue && then !== null && (state ?? then) === then;
    };
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
      this.changes.set(this, "now", moment);
      if (job.state === RUNNING) {
        this.endAttempt(job);
      } else {
        this.move(job, job.stateWhenDue(moment));
      }
    }
    this.changes.set(this, "now", until);
  }

  /** Makes a job, which has to wait for the items of `after`. */
  submit(fields, after) {
    const job = new Job(this.jobs.size + 1, fields, this.now);
    this.replaceAfter(job, this.resolve(after));
    this.changes.put(this.jobs, job.id, job);
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
      this.replaceAfter(job, this.acyclic(job, changes.get("after")));
    }
    const { queue, state } = job;
    this.changes.set(job, "queue", changes.get("queue") ?? queue);
    this.changes.set(job, "priority", changes.get("priority") ?? job.priority);
    this.changes.set(job, "maxAttempts", changes.has("max_attempts") ? changes.get("max_attempts") : job.maxAttempts);
    this.changes.set(job, "state", job.waitingState(this.now));
    this.recount(job, queue, state);
    this.enter(job);
    if (job.state !== state) {
      this.follow(job, state);
    }
    return job;
  }

  /** Counts a job that was in this queue and state where it is now. */
  recount(job, queue, state) {
    if (job.queue === queue) {
      this.queues.shift(queue, state, job.state);
    } else {
      this.queues.shift(queue, state, null);
      this.queues.shift(job.queue, null, job.state);
    }
  }

  /** The items that a job may wait for from now on. */
  acyclic(job, after) {
    this.require(after.map((item) => item.get("id")));
    const items = this.resolve(after);
    if (job.isAwaitedBy(items.map((item) => item.job))) {
      throw cycle();
    }
    return items;
  }

  /** Lets a job wait for these items, each another job and the awaited states of it, and for no others. */
  replaceAfter(job, items) {
    job.after.forEach((item) => this.changes.remove(item.job.dependents, job.id));
    this.changes.set(job, "after", items);
    items.forEach((item) => this.changes.put(item.job.dependents, job.id, job));
  }

  /** Sets the limit or the weight of a queue. */
  setUp(name, setting, value) {
    const queue = this.queues.find(name);
    this.changes.set(queue, setting, value);
    return queue;
  }

  /** Gives up to so many jobs, now running, from the queues whose turn it is. */
  claim(names, lease, count) {
    const claimed = [];
    let job = this.queues.takeJob(names);
    while (job) {
      this.changes.set(job, "attempts", job.attempts + 1);
      this.changes.set(job, "deadline", this.now + lease);
      claimed.push(this.move(job, RUNNING));
      job = claimed.length < count ? this.queues.takeJob(names) : undefined;
    }
    return claimed;
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
    this.changes.set(job, "deadline", this.now + lease);
    this.enter(job);
    return job;
  }

  finish(id, attempt, result) {
    const job = this.running(id, attempt);
    this.changes.set(job, "result", result);
    return this.move(job, DONE);
  }

  release(id, attempt) {
    return this.endAttempt(this.running(id, attempt));
  }

  /** Ends a running attempt without success. */
  endAttempt(job) {
    const state = job.stateAfterAttempt(this.now);
    if (state === SCHEDULED) {
      this.changes.set(job, "due", this.now + job.backoffWait());
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
    this.changes.set(job, "state", state);
    this.queues.shift(job.queue, before, state);
    this.enter(job);
    this.follow(job, before);
    return job;
  }

  /** Notes that a job has left the state before, and does what follows from that. */
  follow(job, before) {
    this.record(job, before);
    if (OVER.includes(job.state)) {
      for (const other of this.settle(job)) {
        this.queues.shift(other.queue, BLOCKED, other.state);
        this.enter(other);
        this.record(other, BLOCKED);
      }
    }
  }

  /** Brings the blocked jobs that wait for this one, directly or not, into their states; gives them by id. */
  settle(job) {
    const over = [job];
    const changed = [];
    while (over.length > 0) {
      for (const other of over.pop().dependents.values()) {
        if (other.state === BLOCKED) {
          this.changes.set(other, "state", other.waitingState(this.now));
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

  record(job, before) {
    const event = { seq: this.events.length + 1, at: this.now, job: job.id, from: before, to: job.state };
    this.changes.append(this.events, event);
    this.changes.append(job.events, event);
  }

  /** Lets the clock and the claims know what a job is like now. */
  enter(job) {
    this.touched.add(job.id);
    this.schedule.enter(job);
    this.queues.enter(job);
  }
}

module.exports = { Board };
