"use strict";

/** A request that is answered with an error and changes nothing. */
class Refusal extends Error {
  constructor(status, code) {
    super(code);
    this.status = status;
    this.code = code;
  }

  describe() {
    return { error: this.code };
  }
}

/** A transaction one of whose requests was refused. */
class Aborted extends Refusal {
  constructor(index, cause) {
    super(409, "aborted");
    this.index = index;
    this.cause = cause;
  }

  describe() {
    return { ...super.describe(), index: this.index, status: this.cause.status, code: this.cause.code };
  }
}

/** What a request can be refused for. */
const refusals = {
  badRequest: () => new Refusal(400, "bad_request"),
  notFound: () => new Refusal(404, "not_found"),
  methodNotAllowed: () => new Refusal(405, "method_not_allowed"),
  cycle: () => new Refusal(422, "cycle"),
  conflict: () => new Refusal(409, "conflict"),
  keyReused: () => new Refusal(422, "key_reused"),
  unknownJob: () => new Refusal(422, "unknown_job"),
};

module.exports = { Aborted, Refusal, ...refusals };
