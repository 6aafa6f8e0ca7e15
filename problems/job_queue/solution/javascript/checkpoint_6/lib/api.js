"use strict";

/** What can be asked, and how it is answered. */

const { Aborted, Refusal, badRequest, conflict, methodNotAllowed, notFound } = require("./errors");
const {
  anything,
  demand,
  digits,
  distinct,
  idempotencyKey,
  listOf,
  oneOf,
  optional,
  orNull,
  parseQuery,
  pickAll,
  pickChanges,
  queueName,
  required,
  wholeNumber,
} = require("./fields");
const { TRANSACTION, requestOf } = require("./parts");
const { Retries } = require("./retries");
const { DONE, STATES } = require("./states");
const { BATCH, EDITABLE, SUBMISSION, knownJobs, submitCopies } = require("./submissions");

const LEASE = wholeNumber(1, 86400);
const ATTEMPT = optional(wholeNumber(1, 1e9));
const PAGE = {
  after: optional(digits(wholeNumber(0n, 10n ** 18n - 1n)), 0),
  limit: optional(digits(wholeNumber(1, 1000)), 100),
};
const MOMENT = { seq: optional(digits(wholeNumber(0n, 10n ** 18n - 1n))) };
const LISTING = { ...PAGE, ...MOMENT, queue: optional(queueName), state: optional(oneOf(STATES)) };

const CLOCK = { advance: required(wholeNumber(1, 1e9)) };
const CLAIM = {
  queue: optional(queueName),
  queues: optional(distinct(listOf(queueName, 1, 100))),
  lease: optional(LEASE, 60),
  count: optional(wholeNumber(1, 1000)),
};
const RENEWAL = { lease: required(LEASE), attempt: ATTEMPT };
const COMPLETION = { result: required(anything), attempt: ATTEMPT };
const RELEASE = { attempt: ATTEMPT };
const SHARE = { weight: required(wholeNumber(1, 1e6)) };
const LIMITS = { running: required(orNull(wholeNumber(0, 1e6))) };

const ID = "([1-9][0-9]{0,17})";
const QUEUE = "([a-z0-9-]{1,32})";

/** Answers requests from a board. */
class Api {
  constructor(board) {
    this.board = board;
    this.retries = new Retries(board.changes);
    this.isInTransaction = false;
    this.routes = [
      ["GET", "/health", () => ok({ status: "ok" })],
      ["GET", "/clock", () => ok({ now: this.board.now })],
      ["POST", "/clock", (request) => this.advance(request)],
      ["GET", "/jobs", (request) => this.listJobs(request)],
      ["POST", "/jobs", (request) => this.submit(request)],
      ["POST", "/batches", (request) => this.submitAll(request)],
      ["POST", "/transactions", (request) => this.transact(request)],
      ["POST", "/claims", (request) => this.claim(request)],
      ["GET", "/events", (request) => pageOfEvents(this.board.events, parseQuery(request.query, PAGE))],
      ["GET", `/jobs/${ID}`, (request, id) => this.show(request, id)],
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
      ["GET", `/queues/${QUEUE}`, (request, queue) => this.count(request, queue)],
      ["GET", `/queues/${QUEUE}/share`, (request, queue) => ok(this.board.queues.find(queue).describe())],
      ["PUT", `/queues/${QUEUE}/share`, (request, queue) => this.share(request, queue)],
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
    this.board.advance(pickAll(request.read(), CLOCK).get("advance"));
    return ok({ now: this.board.now });
  }

  submit(request) {
    const key = idempotencyKey(request.headers);
    const fields = pickAll(request.read(), SUBMISSION);
    this.board.require(fields.get("after").map((item) => item.get("id")));
    return this.once(key, fields, () => this.board.submit(fields, fields.get("after")).describe());
  }

  submitAll(request) {
    const key = idempotencyKey(request.headers);
    const fields = pickAll(request.read(), BATCH);
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
    return ok(this.board.edit(id, pickChanges(request.read(), EDITABLE)).describe());
  }

  /** Answers requests one after the other, or makes no change at all. */
  transact(request) {
    if (this.isInTransaction) {
      throw badRequest();
    }
    const parts = pickAll(request.read(), TRANSACTION).get("requests");
    this.isInTransaction = true;
    this.board.begin();
    try {
      const answers = [];
      parts.forEach((part, index) => answers.push(this.answerPart(requestOf(part, answers), index)));
      this.board.commit();
      return ok({ answers });
    } catch (error) {
      this.board.undo();
      throw error;
    } finally {
      this.isInTransaction = false;
    }
  }

  answerPart(request, index) {
    try {
      const { status, value, headers } = this.answer(request);
      return { status, body: value ?? null, ...(headers && { replay: true }) };
    } catch (error) {
      throw error instanceof Refusal ? new Aborted(index, error) : error;
    }
  }

  show(request, id) {
    const seq = parseQuery(request.query, MOMENT).get("seq");
    const job = this.board.find(id, seq);
    return ok({ ...job.describe(), state: job.stateAt(seq) });
  }

  count(request, queue) {
    return ok(this.board.count(queue, parseQuery(request.query, MOMENT).get("seq")));
  }

  share(request, queue) {
    const weight = pickAll(request.read(), SHARE).get("weight");
    return ok(this.board.setUp(queue, "weight", weight).describe());
  }

  claim(request) {
    const fields = pickAll(request.read(), CLAIM);
    const [queue, queues, count] = ["queue", "queues", "count"].map((name) => fields.get(name));
    demand((queue === undefined) !== (queues === undefined));
    const jobs = this.board.claim(queues ?? [queue], fields.get("lease"), count ?? 1).map(claimOf);
    if (jobs.length === 0) {
      return { status: 204 };
    }
    if (count !== undefined) {
      return ok({ jobs });
    }
    const [{ queue: origin, ...job }] = jobs;
    return ok(queues ? { ...job, queue: origin } : job);
  }

  renew(request, id) {
    const fields = pickAll(request.read(), RENEWAL);
    return leaseOf(this.board.renew(id, fields.get("attempt"), fields.get("lease")));
  }

  finish(request, id) {
    const fields = pickAll(request.read(), COMPLETION);
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
    return stateOf(this.board.release(id, pickAll(request.read(), RELEASE).get("attempt")));
  }

  cancel(request, id) {
    pickAll(request.read(), {});
    return stateOf(this.board.cancel(id));
  }

  limitOf(queue) {
    return ok({ running: this.board.queues.find(queue).limit });
  }

  limit(request, queue) {
    this.board.setUp(queue, "limit", pickAll(request.read(), LIMITS).get("running"));
    return this.limitOf(queue);
  }

  listJobs(request) {
    const fields = parseQuery(request.query, LISTING);
    const jobs = this.board.list(Object.fromEntries(fields));
    const { items, next } = page(jobs, fields, (job) => job.id);
    return ok({ ids: items.map((job) => job.id), next });
  }

  eventsOf(request, id) {
    const fields = parseQuery(request.query, PAGE);
    return pageOfEvents(this.board.find(id).events, fields);
  }
}

function ok(value) {
  return { status: 200, value };
}

function claimOf(job) {
  return { id: job.id, queue: job.queue, payload: job.payload, attempt: job.attempts };
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
