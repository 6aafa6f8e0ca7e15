"use strict";

/** The requests of a transaction. */

const { badRequest } = require("./errors");
const { demand, listOf, oneOf, optional, pickAll, required, text } = require("./fields");
const { split } = require("./request");

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const REFERENCE = /^\/jobs\/@(0|[1-9][0-9]*)(?=[/?]|$)/;

const PART = {
  method: required(oneOf(METHODS)),
  path: required(text),
  body: optional(object),
  key: optional(text),
};

const TRANSACTION = { requests: required(listOf(part, 1, 1000)) };

function object(value) {
  demand(value instanceof Map);
  return value;
}

function part(value) {
  const fields = pickAll(value, PART);
  demand(fields.get("method") !== "GET" || fields.get("body") === undefined);
  return fields;
}

/** A request of a transaction, given the answers to those before it. */
function requestOf(fields, answers) {
  const read = () => {
    if (fields.get("body") === undefined) {
      throw badRequest();
    }
    return fields.get("body");
  };
  const target = resolve(fields.get("path"), answers);
  return { method: fields.get("method"), ...split(target), headers: { "idempotency-key": fields.get("key") }, read };
}

/** The path with an id in place of a reference to an answer, if there is such an id. */
function resolve(path, answers) {
  const reference = REFERENCE.exec(path);
  const id = reference && answers[Number(reference[1])]?.body?.id;
  return id ? `/jobs/${id}${path.slice(reference[0].length)}` : path;
}

module.exports = { TRANSACTION, requestOf };
