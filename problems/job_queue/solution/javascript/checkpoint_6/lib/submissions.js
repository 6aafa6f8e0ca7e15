"use strict";

/** What a job is made of, alone or in a batch. */

const {
  anything,
  boolean,
  demand,
  listOf,
  oneOf,
  optional,
  orNull,
  pickAll,
  queueName,
  required,
  wholeNumber,
} = require("./fields");
const { CONDITIONS } = require("./states");

const JOB_ID = wholeNumber(1n, 10n ** 18n - 1n);
const MOST_ENTRIES = 1000;
const MOST_JOBS = 20000;
const CONDITION = optional(oneOf(Object.keys(CONDITIONS)), "done");
const BY_ID = { id: required(JOB_ID), on: CONDITION };
const BY_INDEX = { index: required(wholeNumber(0, MOST_ENTRIES - 1)), on: CONDITION };

/** Accepts the id of a job, with a condition or without one. */
function dependency(value) {
  return pickAll(value instanceof Map ? value : new Map([["id", value]]), BY_ID);
}

/** Accepts the index of an entry of the same batch as well. */
function dependencyInBatch(value) {
  return value instanceof Map && value.has("index") ? pickAll(value, BY_INDEX) : dependency(value);
}

function dependencies(check) {
  const items = listOf(check, 0, 100);
  return (value) => {
    const after = items(value);
    demand(new Set(after.map((item) => `${item.get("id")} ${item.get("index")}`)).size === after.length);
    return after;
  };
}

function submission(checkDependency) {
  return {
    queue: required(queueName),
    payload: required(anything),
    priority: optional(wholeNumber(-100, 100), 0),
    delay: optional(wholeNumber(0, 1e9), 0),
    max_attempts: optional(wholeNumber(1, 100)),
    backoff: optional(wholeNumber(0, 86400), 0),
    expires: optional(wholeNumber(1, 1e9)),
    after: optional(dependencies(checkDependency), []),
  };
}

const SUBMISSION = submission(dependency);
const ENTRY = {
  ...submission(dependencyInBatch),
  count: optional(wholeNumber(1, MOST_JOBS), 1),
  serial: optional(boolean, false),
};
const EDITABLE = {
  queue: optional(queueName),
  priority: optional(SUBMISSION.priority.check),
  max_attempts: optional(orNull(SUBMISSION.max_attempts.check)),
  after: optional(SUBMISSION.after.check),
};

const entries = listOf((value) => pickAll(value, ENTRY), 1, MOST_ENTRIES);

/** Accepts submissions that refer to earlier ones only. */
function batch(value) {
  const jobs = entries(value);
  jobs.forEach((job, position) => demand(job.get("after").every((item) => (item.get("index") ?? -1) < position)));
  demand(jobs.reduce((sum, job) => sum + job.get("count"), 0) <= MOST_JOBS);
  return jobs;
}

/** The ids of jobs outside of the batch that it refers to. */
function knownJobs(jobs) {
  return jobs.flatMap((job) => job.get("after").filter((item) => item.has("id"))).map((item) => item.get("id"));
}

/** Submits an entry of a batch as often as it says, given the last ids of earlier entries; gives its ids. */
function submitCopies(entry, lastIds, submit) {
  const after = entry.get("after").map((item) => resolve(item, lastIds));
  const ids = [];
  for (let copy = 0; copy < entry.get("count"); copy += 1) {
    const previous = entry.get("serial") && copy > 0 ? [awaitDone(ids[copy - 1])] : [];
    ids.push(submit(entry, [...after, ...previous]).id);
  }
  return ids;
}

function awaitDone(id) {
  return new Map(Object.entries({ id, on: "done" }));
}

/** An item that says an id in place of an index. */
function resolve(item, lastIds) {
  return item.has("index") ? new Map(Object.entries({ id: lastIds[item.get("index")], on: item.get("on") })) : item;
}

const BATCH = { jobs: required(batch) };

module.exports = { BATCH, EDITABLE, SUBMISSION, knownJobs, submitCopies };
