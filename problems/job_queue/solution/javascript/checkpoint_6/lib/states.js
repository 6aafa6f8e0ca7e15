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
const WAITING = [BLOCKED, SCHEDULED, READY];
const STATES = [...WAITING, RUNNING, ...OVER];

/** The states that end the waiting for a job, by the name of the condition. */
const CONDITIONS = { done: [DONE], lost: LOST, over: OVER };

module.exports = { BLOCKED, CANCELLED, CONDITIONS, DONE, FAILED, OVER, READY, RUNNING, SCHEDULED, STATES, WAITING };
