"use strict";

/** What can be asked, and how it is answered. */

const { conflict, methodNotAllowed, notFound } = require("./errors");
const { anything, parseBody, queueName } = require("./fields");
const { DONE } = require("./job");

const SUBMISSION = { queue: queueName, payload: anything };
const CLAIM = { queue: queueName };
const COMPLETION = { result: anything };

const ID = "([1-9][0-9]{0,17})";
const QUEUE = "([a-z0-9-]{1,32})";

/** Answers requests from a board. */
class Api {
  constructor(board) {
    this.board = board;
    this.routes = [
      ["GET", "/health", () => ok({ status: "ok" })],
      ["POST", "/jobs", (request) => this.submit(request)],
      ["POST", "/claims", (request) => this.claim(request)],
      ["GET", `/jobs/${ID}`, (request, id) => ok(this.board.find(id).describe())],
      ["POST", `/jobs/${ID}/done`, (request, id) => this.finish(request, id)],
      ["GET", `/jobs/${ID}/result`, (request, id) => this.result(id)],
      ["POST", `/jobs/${ID}/release`, (request, id) => this.release(request, id)],
      ["GET", `/queues/${QUEUE}`, (request, queue) => ok(this.board.count(queue))],
    ].map(([method, path, answer]) => ({ method, path: new RegExp(`^${path}$`), answer }));
  }

  /** Gives a status and a JSON value; undefined stands for no body. */
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

  submit(request) {
    const fields = parseBody(request.body, SUBMISSION);
    return { status: 201, value: this.board.submit(fields.get("queue"), fields.get("payload")).describe() };
  }

  claim(request) {
    const job = this.board.claim(parseBody(request.body, CLAIM).get("queue"));
    return job ? ok({ id: job.id, payload: job.payload, attempt: job.attempts }) : { status: 204 };
  }

  finish(request, id) {
    return stateOf(this.board.finish(id, parseBody(request.body, COMPLETION).get("result")));
  }

  result(id) {
    const job = this.board.find(id);
    if (job.state !== DONE) {
      throw conflict();
    }
    return ok({ result: job.result });
  }

  release(request, id) {
    parseBody(request.body, {});
    return stateOf(this.board.release(id));
  }
}

function ok(value) {
  return { status: 200, value };
}

function stateOf(job) {
  return ok({ id: job.id, state: job.state });
}

module.exports = { Api };
