"use strict";

/** Reading the bodies of requests. A field is a function that checks its value. */

const { badRequest } = require("./errors");
const { parse } = require("./json");

const QUEUE = /^[a-z0-9-]{1,32}$/;

function demand(condition) {
  if (!condition) {
    throw badRequest();
  }
}

/** Gives the fields of a body, a Map by name. All of them have to be there, and no others. */
function parseBody(body, fields) {
  let value;
  try {
    value = parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    // Text that is not UTF-8 or not JSON.
    throw badRequest();
  }
  const names = Object.keys(fields);
  demand(value instanceof Map && value.size === names.length && names.every((name) => value.has(name)));
  return new Map(names.map((name) => [name, fields[name](value.get(name))]));
}

function anything(value) {
  return value;
}

function queueName(value) {
  demand(typeof value === "string" && QUEUE.test(value));
  return value;
}

module.exports = { anything, parseBody, queueName };
