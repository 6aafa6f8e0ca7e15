"use strict";

/**
 * JSON without loss: a number keeps the text it was written as, which tells 1 from 1.0 and holds any number of digits.
 * Objects are Maps, so that no key means anything to JavaScript.
 */

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERAL = /null|true|false/y;
const SPACE = /[ \t\n\r]*/y;

class JsonNumber {
  constructor(text) {
    this.text = text;
  }

  isWhole() {
    return /^-?[0-9]+$/.test(this.text);
  }

  equals(other) {
    if (this.isWhole() && other.isWhole()) {
      return BigInt(this.text) === BigInt(other.text);
    }
    return Number(this.text) === Number(other.text);
  }
}

class Parser {
  constructor(text) {
    this.text = text;
    this.position = 0;
  }

  whole() {
    this.take(SPACE);
    const value = this.value();
    this.take(SPACE);
    this.expect(this.position === this.text.length);
    return value;
  }

  value() {
    switch (this.text[this.position]) {
      case "{":
        return this.object();
      case "[":
        return this.array();
      case '"':
        return this.string();
      case "n":
      case "t":
      case "f":
        return JSON.parse(this.token(LITERAL));
      default:
        return new JsonNumber(this.token(NUMBER));
    }
  }

  string() {
    return JSON.parse(this.token(STRING));
  }

  array() {
    const items = [];
    this.sequence("[", "]", () => items.push(this.value()));
    return items;
  }

  object() {
    const members = new Map();
    this.sequence("{", "}", () => {
      const key = this.string();
      this.expect(this.takeSign(":"));
      members.set(key, this.value());
    });
    return members;
  }

  sequence(open, close, readOne) {
    this.takeSign(open);
    if (this.takeSign(close)) {
      return;
    }
    do {
      readOne();
    } while (this.takeSign(","));
    this.expect(this.takeSign(close));
  }

  /** Takes a sign with the white space before and after it, if it comes next. */
  takeSign(sign) {
    this.take(SPACE);
    if (this.text[this.position] !== sign) {
      return false;
    }
    this.position += 1;
    this.take(SPACE);
    return true;
  }

  token(pattern) {
    const text = this.take(pattern);
    this.expect(text !== undefined);
    return text;
  }

  take(pattern) {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (!match) {
      return undefined;
    }
    this.position = pattern.lastIndex;
    return match[0];
  }

  expect(condition) {
    if (!condition) {
      throw new SyntaxError(`not JSON at character ${this.position}`);
    }
  }
}

function parse(text) {
  return new Parser(text).whole();
}

/** Writes parsed values, and plain objects and numbers of ours. */
function stringify(value) {
  if (value instanceof JsonNumber) {
    return value.text;
  }
  if (Array.isArray(value)) {
    return `[${value.map(stringify).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const members = value instanceof Map ? [...value] : Object.entries(value);
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringify(member)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** Compares two values, in which 1 equals 1.0 but not true. */
function same(one, other) {
  if (one instanceof JsonNumber && other instanceof JsonNumber) {
    return one.equals(other);
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => same(item, other[index]));
  }
  if (one instanceof Map && other instanceof Map) {
    return one.size === other.size && [...one].every(([key, item]) => other.has(key) && same(item, other.get(key)));
  }
  return one === other;
}

module.exports = { JsonNumber, parse, same, stringify };
