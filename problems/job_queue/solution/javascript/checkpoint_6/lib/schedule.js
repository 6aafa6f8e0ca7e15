"use strict";

const { Heap } = require("./heap");

/** The moments of jobs. What a job was entered for before is passed over once its moment is another. */
class Schedule {
  constructor(jobs) {
    this.jobs = jobs;
    this.heap = new Heap(
      (one, other) => one.moment < other.moment || (one.moment === other.moment && one.id < other.id),
    );
  }

  enter(job) {
    const moment = job.moment();
    if (moment < Infinity) {
      this.heap.push({ moment, id: job.id });
    }
  }

  /** Gives jobs by their moments up to this time, and by their ids, while they change. */
  *due(until) {
    while (this.heap.first()?.moment <= until) {
      const { moment, id } = this.heap.pop();
      const job = this.jobs.get(id);
      if (job?.moment() === moment) {
        yield { moment, job };
      }
    }
  }
}

module.exports = { Schedule };
