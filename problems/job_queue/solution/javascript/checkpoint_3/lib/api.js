"use strict";

/** What can be asked, and how it is answered. */

const { conflict, methodNotAllowed, notFound } = require("./errors");
const { anything, idempotencyKey, optional, parseBody, queueName, required, wholeNumber } = require("./fields");
const { DONE } = require("./job");
const { Retries } = require("./retries");
const { BATCH, SUBMISSION, knownJobs, resolve } = require("./submissions");

const LEASE = wholeNumber(1, 86400);
const ATTEMPT = optional(wholeNumber(1, 1e9));

const CLOCK = { advance: required(wholeNumber(1, 1e9)) };
const CLAIM = { queue: required(queueName), lease: optional(LEASE, 60) };
const RENEWAL = { lease: required(LEASE), attempt: ATTEMPT };
const COMPLETION = { result: required(anything), attempt: ATTEMPT };
const RELEASE = { attempt: ATTEMPT };

const ID = "([1-9][0-9]{0,17})";
const QUEUE = "([a-z0-9-]{1,32})";

/** Answers requests from a board. */
class Api {
  constructor(board) {
    this.board = board;
    this.retries = new Retries();
    this.routes = [
      ["GET", "/health", () => ok({ status: "ok" })],
      ["GET", "/clock", () => ok({ now: this.board.now })],
      ["POST", "/clock", (request) => this.advance(request)],
      ["POST", "/jobs", (request) => this.submit(request)],
      ["POST", "/batches", (request) => this.submitAll(request)],
      ["POST", "/claims", (request) => this.claim(request)],
      ["GET", `/jobs/${ID}`, (request, id) => ok(this.board.find(id).describe())],
      ["GET", `/jobs/${ID}/lease`, (request, id) => leaseOf(this.board.running(id))],
      ["POST", `/jobs/${ID}/renew`, (request, id) => this.renew(request, id)],
      ["POST", `/jobs/${ID}/done`, (request, id) => this.finish(request, id)],
      ["GET", `/jobs/${ID}/result`, (request, id) => this.result(id)],
      ["POST", `/jobs/${ID}/release`, (request, id) => this.release(request, id)],
      ["POST", `/jobs/${ID}/cancel`, (request, id) => this.cancel(request, id)],
      ["GET", `/jobs/${ID}/after`, (request, id) => idsOf(this.board.find(id).after)],
      ["GET", `/jobs/${ID}/dependents`, (request, id) => idsOf(this.board.find(id).dependents)],
      ["GET", `/queues/${QUEUE}`, (request, queue) => ok(this.board.count(queue))],
    ].map(([method, path, answer]) => ({ method, path: new RegExp(`^${path}$`), answer }));
  }

  /** Gives a status, a JSON value (undefined stands for no body) and header fields. */
  answer(request) {
    const routes = this.routes.filter((route) => route.path.test(request.path));
    if (routes.length === 0) {
      throw notFound();
    }
    const route = routes.find(({ method }) => method === request.method);
    if (!route) {
      throw methodNotAllowed();
    }
    const [, part] = route.path.exec(request.path);
    return route.answer(request, route.path.source.includes(ID) ? Number(part) : part);
  }

  advance(request) {
    this.board.advance(parseBody(request.body, CLOCK).get("advance"));
    return ok({ now: this.board.now });
  }

  submit(request) {
    const key = idempotencyKey(request.headers);
    const fields = parseBody(request.body, SUBMISSION);
    this.board.require(fields.get("after"));
    return this.once(key, fields, () => this.board.submit(fields, fields.get("after")).describe());
  }

  submitAll(request) {
    const key = idempotencyKey(request.headers);
    const fields = parseBody(request.body, BATCH);
    this.board.require(knownJobs(fields.get("jobs")));
    return this.once(key, fields, () => {
      const ids = [];
      for (const job of fields.get("jobs")) {
        ids.push(this.board.submit(job, resolve(job.get("after"), ids)).id);
      }
      return { ids };
    });
  }

  /** Makes a change, unless a request with this key has made it before. */
  once(key, fields, change) {
    const known = this.retries.recall(key, fields);
    if (known) {
      return { status: 201, value: known, headers: { "Idempotent-Replay": "true" } };
    }
    const answer = change();
    this.retries.remember(key, fields, answer);
    return { status: 201, value: answer };
  }

  claim(request) {
    const fields = parseBody(request.body, CLAIM);
    const job = this.board.claim(fields.get("queue"), fields.get("lease"));
    return job ? ok({ id: job.id, payload: job.payload, attempt: job.attempts }) : { status: 204 };
  }

  renew(request, id) {
    const fields = parseBody(request.body, RENEWAL);
    return leaseOf(this.board.renew(id, fields.get("attempt"), fields.get("lease")));
  }

  finish(request, id) {
    const fields = parseBody(request.body, COMPLETION);
    return stateOf(this.board.finish(id, fields.get("attempt"), fields.get("result")));
  }

  result(id) {
    const job = this.board.find(id);
    if (job.state !== DONE) {
      throw conflict();
    }
    return ok({ result: job.result });
  }

  release(request, id) {
    return stateOf(this.board.release(id, parseBody(request.body, RELEASE).get("attempt")));
  }

  cancel(request, id) {
    parseBody(request.body, {});
    return stateOf(this.board.cancel(id));
  }
}

function ok(value) {
  return { status: 200, value };
}

function stateOf(job) {
  return ok({ id: job.id, state: job.state });
}

function leaseOf(job) {
  return ok({ attempt: job.attempts, deadline: job.deadline });
}

function idsOf(jobs) {
  return ok({ ids: jobs.map((job) => job.id).sort((one, other) => one - other) });
}

module.exports = { Api };
