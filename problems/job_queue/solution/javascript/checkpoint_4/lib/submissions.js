"use strict";

/** What a job is made of, alone or in a batch. */

const {
  anything,
  demand,
  distinct,
  listOf,
  optional,
  pickAll,
  queueName,
  required,
  wholeNumber,
} = require("./fields");

const JOB_ID = wholeNumber(1n, 10n ** 18n - 1n);
const MOST_JOBS = 1000;
const REFERENCE = { index: required(wholeNumber(0, MOST_JOBS - 1)) };

/** Accepts the id of a job, or the index of an entry of the same batch. */
function reference(value) {
  return value instanceof Map ? pickAll(value, REFERENCE) : JOB_ID(value);
}

function submission(checkDependency) {
  return {
    queue: required(queueName),
    payload: required(anything),
    priority: optional(wholeNumber(-100, 100), 0),
    delay: optional(wholeNumber(0, 1e9), 0),
    max_attempts: optional(wholeNumber(1, 100)),
    after: optional(distinct(listOf(checkDependency, 0, 100)), []),
  };
}

const ENTRY = submission(reference);
const entries = listOf((value) => pickAll(value, ENTRY), 1, MOST_JOBS);

/** Accepts submissions that refer to earlier ones only. */
function batch(value) {
  const jobs = entries(value);
  jobs.forEach((job, position) => demand(indices(job).every((index) => index < position)));
  return jobs;
}

function indices(job) {
  return job.get("after").filter(isIndex).map((item) => item.get("index"));
}

function isIndex(item) {
  return item instanceof Map;
}

/** The ids of jobs outside of the batch that it refers to. */
function knownJobs(jobs) {
  return jobs.flatMap((job) => job.get("after").filter((item) => !isIndex(item)));
}

/** The ids of the jobs that an entry waits for, given those of the entries before it. */
function resolve(after, ids) {
  return after.map((item) => (isIndex(item) ? ids[item.get("index")] : item));
}

const SUBMISSION = submission(JOB_ID);
const BATCH = { jobs: required(batch) };

module.exports = { BATCH, SUBMISSION, knownJobs, resolve };
