"use strict";

/** What can be asked, and how it is answered. */

const { conflict, methodNotAllowed, notFound } = require("./errors");
const {
  anything,
  digits,
  idempotencyKey,
  oneOf,
  optional,
  orNull,
  parseBody,
  parseChanges,
  parseQuery,
  queueName,
  required,
  wholeNumber,
} = require("./fields");
const { Retries } = require("./retries");
const { DONE, STATES } = require("./states");
const { BATCH, EDITABLE, SUBMISSION, knownJobs, submitCopies } = require("./submissions");

const LEASE = wholeNumber(1, 86400);
const ATTEMPT = optional(wholeNumber(1, 1e9));
const PAGE = {
  after: optional(digits(wholeNumber(0n, 10n ** 18n - 1n)), 0),
  limit: optional(digits(wholeNumber(1, 1000)), 100),
};
const LISTING = { ...PAGE, queue: optional(queueName), state: optional(oneOf(STATES)) };

const CLOCK = { advance: required(wholeNumber(1, 1e9)) };
const CLAIM = { queue: required(queueName), lease: optional(LEASE, 60) };
const RENEWAL = { lease: required(LEASE), attempt: ATTEMPT };
const COMPLETION = { result: required(anything), attempt: ATTEMPT };
const RELEASE = { attempt: ATTEMPT };
const LIMITS = { running: required(orNull(wholeNumber(0, 1e6))) };

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
      ["GET", "/jobs", (request) => this.listJobs(request)],
      ["POST", "/jobs", (request) => this.submit(request)],
      ["POST", "/batches", (request) => this.submitAll(request)],
      ["POST", "/claims", (request) => this.claim(request)],
      ["GET", "/events", (request) => pageOfEvents(this.board.events, parseQuery(request.query, PAGE))],
      ["GET", `/jobs/${ID}`, (request, id) => ok(this.board.find(id).describe())],
      ["PATCH", `/jobs/${ID}`, (request, id) => this.edit(request, id)],
      ["GET", `/jobs/${ID}/events`, (request, id) => this.eventsOf(request, id)],
      ["GET", `/jobs/${ID}/lease`, (request, id) => leaseOf(this.board.running(id))],
      ["POST", `/jobs/${ID}/renew`, (request, id) => this.renew(request, id)],
      ["POST", `/jobs/${ID}/done`, (request, id) => this.finish(request, id)],
      ["GET", `/jobs/${ID}/result`, (request, id) => this.result(id)],
      ["POST", `/jobs/${ID}/release`, (request, id) => this.release(request, id)],
      ["POST", `/jobs/${ID}/cancel`, (request, id) => this.cancel(request, id)],
      ["GET", `/jobs/${ID}/after`, (request, id) => idsOf(this.board.find(id).after.map((item) => item.job.id))],
      ["GET", `/jobs/${ID}/dependents`, (request, id) => idsOf([...this.board.find(id).dependents.keys()])],
      ["GET", `/queues/${QUEUE}`, (request, queue) => ok(this.board.count(queue))],
      ["GET", `/queues/${QUEUE}/limits`, (request, queue) => this.limitOf(queue)],
      ["PUT", `/queues/${QUEUE}/limits`, (request, queue) => this.limit(request, queue)],
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
    this.board.require(fields.get("after").map((item) => item.get("id")));
    return this.once(key, fields, () => this.board.submit(fields, fields.get("after")).describe());
  }

  submitAll(request) {
    const key = idempotencyKey(request.headers);
    const fields = parseBody(request.body, BATCH);
    this.board.require(knownJobs(fields.get("jobs")));
    return this.once(key, fields, () => {
      const lastIds = [];
      const ids = fields.get("jobs").map((entry) => {
        const copies = submitCopies(entry, lastIds, (job, after) => this.board.submit(job, after));
        lastIds.push(copies.at(-1));
        return copies;
      });
      return { ids: ids.flat() };
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

  edit(request, id) {
    return ok(this.board.edit(id, parseChanges(request.body, EDITABLE)).describe());
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

  limitOf(queue) {
    return ok({ running: this.board.limits.get(queue) ?? null });
  }

  limit(request, queue) {
    this.board.limits.set(queue, parseBody(request.body, LIMITS).get("running"));
    return this.limitOf(queue);
  }

  listJobs(request) {
    const fields = parseQuery(request.query, LISTING);
    const jobs = this.board.list({ queue: fields.get("queue"), state: fields.get("state") });
    const { items, next } = page(jobs, fields, (job) => job.id);
    return ok({ ids: items.map((job) => job.id), next });
  }

  eventsOf(request, id) {
    const fields = parseQuery(request.query, PAGE);
    const job = this.board.find(id);
    return pageOfEvents(this.board.events.filter((event) => event.job === job.id), fields);
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

function idsOf(ids) {
  return ok({ ids: ids.sort((one, other) => one - other) });
}

/** The items of a page, and the number after which the next one begins, if there is one. */
function page(all, fields, numberOf) {
  const rest = all.filter((item) => numberOf(item) > fields.get("after"));
  const items = rest.slice(0, fields.get("limit"));
  return { items, next: items.length < rest.length ? numberOf(items.at(-1)) : null };
}

function pageOfEvents(events, fields) {
  const { items, next } = page(events, fields, (event) => event.seq);
  return ok({ events: items, next });
}

module.exports = { Api };
