"use strict";

const READY = "ready";
const RUNNING = "running";
const DONE = "done";

class Job {
  constructor(id, queue, payload) {
    this.id = id;
    this.queue = queue;
    this.payload = payload;
    this.state = READY;
    this.attempts = 0;
    this.result = null;
  }

  describe() {
    return { id: this.id, queue: this.queue, state: this.state, payload: this.payload };
  }
}

module.exports = { DONE, Job, READY, RUNNING };
