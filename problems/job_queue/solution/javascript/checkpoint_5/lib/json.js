"use strict";

/**
 * JSON without loss: a number keeps the text it was written as, which tells 1 from 1.0 and holds any number of digits.
 * Objects are Maps, so that no key means anything to JavaScript. Arrays and objects may lie in each other to any depth.
 */

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,9})?/y;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const LITERAL = /null|true|false/y;
const SPACE = /[ \t\n\r]*/y;

class JsonNumber {
  constructor(text) {
    this.text = text;
  }

  isWhole() {
    return /^-?[0-9]+$/.test(this.text);
  }

  /** The same text for all numbers of the same value. */
  canonical() {
    const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE](.+))?$/.exec(this.text);
    const digits = (whole + fraction).replace(/^0+/, "");
    const zeros = digits.length - digits.replace(/(?<!0)0+$/, "").length;
    if (digits === "") {
      return "0";
    }
    return `${sign}${digits.slice(0, digits.length - zeros)}e${Number(exponent) - fraction.length + zeros}`;
  }
}

/** Text between values that are still to be written. */
class Piece {
  constructor(text) {
    this.text = text;
  }
}

class ArrayReader {
  constructor() {
    this.closing = "]";
    this.value = [];
  }

  /** Nothing stands before an item. */
  beginItem() {}

  add(item) {
    this.value.push(item);
  }
}

class ObjectReader {
  constructor() {
    this.closing = "}";
    this.value = new Map();
  }

  beginItem(parser) {
    this.key = parser.string();
    parser.expect(!this.value.has(this.key));
    parser.expect(parser.takeSign(":"));
  }

  add(item) {
    this.value.set(this.key, item);
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
    const around = [];
    for (;;) {
      const reader = this.open();
      if (reader && !this.takeSign(reader.closing)) {
        around.push(reader);
        reader.beginItem(this);
        continue;
      }
      const value = this.close(around, reader ? reader.value : this.scalar());
      if (around.length === 0) {
        return value;
      }
    }
  }

  /** Begins an array or an object, if one comes next. */
  open() {
    if (this.takeSign("[")) {
      return new ArrayReader();
    }
    return this.takeSign("{") ? new ObjectReader() : undefined;
  }

  /** Adds a value to what is around it, ends what ends with it, and gives what ended last. */
  close(around, value) {
    let ended = value;
    while (around.length > 0) {
      const reader = around.at(-1);
      reader.add(ended);
      if (this.takeSign(",")) {
        reader.beginItem(this);
        return undefined;
      }
      this.expect(this.takeSign(reader.closing));
      ended = around.pop().value;
    }
    return ended;
  }

  scalar() {
    switch (this.text[this.position]) {
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
  return write(value, (number) => number.text, (pairs) => pairs);
}

/** Gives the same text for all values that are equal, as 1 and 1.0 are. */
function canonical(value) {
  return write(value, (number) => number.canonical(), (pairs) => pairs.sort(byKey));
}

function byKey([one], [other]) {
  return Number(one > other) - Number(one < other);
}

function write(value, textOfNumber, inOrder) {
  const pieces = [];
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (next instanceof Piece) {
      pieces.push(next.text);
    } else if (next instanceof JsonNumber) {
      pieces.push(textOfNumber(next));
    } else if (Array.isArray(next)) {
      pushEnclosed(rest, "[", next.map((item) => ["", item]), "]");
    } else if (next !== null && typeof next === "object") {
      pushEnclosed(rest, "{", inOrder(members(next)), "}");
    } else {
      // Of our own values, large ids and what is not there are none of JSON.
      pieces.push(typeof next === "bigint" ? `${next}` : JSON.stringify(next) ?? "undefined");
    }
  }
  return pieces.join("");
}

/** The members of an object, each with what is written before it. */
function members(value) {
  const pairs = value instanceof Map ? [...value] : Object.entries(value);
  return pairs.map(([key, member]) => [`${JSON.stringify(key)}:`, member]);
}

/** Adds what is to be written of an array or an object, the last first. */
function pushEnclosed(rest, opening, items, closing) {
  rest.push(new Piece(closing));
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const [label, item] = items[index];
    rest.push(item, new Piece(index > 0 ? `,${label}` : label));
  }
  rest.push(new Piece(opening));
}

/** Compares two values, in which 1 equals 1.0 but not true. */
function same(one, other) {
  return canonical(one) === canonical(other);
}

module.exports = { JsonNumber, parse, same, stringify };
