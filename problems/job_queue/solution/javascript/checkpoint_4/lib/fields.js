"use strict";

/**
 * Reading the bodies, queries and headers of requests.
 *
 * A field is a function that checks and converts its value, with a default or without one if it is required.
 */

const { badRequest } = require("./errors");
const { JsonNumber, parse, same } = require("./json");

const QUEUE = /^[a-z0-9-]{1,32}$/;
const NUMBER = /^(?:0|[1-9][0-9]{0,17})$/;
const KEY = /^[!-~]{1,64}$/;

function required(check) {
  return { check, isRequired: true };
}

function optional(check, fallback) {
  return { check, fallback };
}

function demand(condition) {
  if (!condition) {
    throw badRequest();
  }
}

/** Gives the fields of a body, a Map by name. */
function parseBody(body, fields) {
  let value;
  try {
    value = parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    // Text that is not UTF-8 or not JSON.
    throw badRequest();
  }
  return pickAll(value, fields);
}

/** Gives the fields of a query, in the same form. */
function parseQuery(query, fields) {
  const pairs = [...new URLSearchParams(query)];
  const value = new Map(pairs);
  demand(value.size === pairs.length);
  return pickAll(value, fields);
}

/** Gives the fields of an object that has no others. */
function pickAll(value, fields) {
  demand(value instanceof Map && [...value.keys()].every((name) => Object.hasOwn(fields, name)));
  return new Map(Object.entries(fields).map(([name, field]) => [name, pick(value, name, field)]));
}

function pick(value, name, { check, fallback, isRequired }) {
  if (value.has(name)) {
    return check(value.get(name));
  }
  demand(!isRequired);
  return fallback;
}

function anything(value) {
  return value;
}

function wholeNumber(low, high) {
  return (value) => {
    demand(value instanceof JsonNumber && value.isWhole());
    const number = BigInt(value.text);
    demand(number >= low && number <= high);
    // Beyond that there is no job, but two such ids are still two.
    return Number.isSafeInteger(Number(number)) ? Number(number) : number;
  };
}

function listOf(check, low, high) {
  return (value) => {
    demand(Array.isArray(value) && value.length >= low && value.length <= high);
    return value.map(check);
  };
}

function distinct(check) {
  return (value) => {
    const items = check(value);
    demand(items.every((item, index) => !items.slice(0, index).some((other) => same(item, other))));
    return items;
  };
}

function orNull(check) {
  return (value) => (value === null ? null : check(value));
}

function oneOf(values) {
  return (value) => {
    demand(values.includes(value));
    return value;
  };
}

/** Accepts a number as it stands in a query. */
function digits(check) {
  return (value) => {
    demand(NUMBER.test(value));
    return check(new JsonNumber(value));
  };
}

function queueName(value) {
  demand(typeof value === "string" && QUEUE.test(value));
  return value;
}

/** Gives the header's value, or undefined where there is no such header. */
function idempotencyKey(headers) {
  const key = headers["idempotency-key"];
  demand(key === undefined || KEY.test(key));
  return key;
}

module.exports = {
  anything,
  demand,
  digits,
  distinct,
  idempotencyKey,
  listOf,
  oneOf,
  optional,
  orNull,
  parseBody,
  parseQuery,
  pickAll,
  queueName,
  required,
  wholeNumber,
};
