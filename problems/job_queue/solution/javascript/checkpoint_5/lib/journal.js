"use strict";

const fs = require("node:fs");

/** A file of all requests that may have changed something, one line of JSON each. */
class Journal {
  constructor(path) {
    this.file = fs.openSync(path, "a+");
  }

  /** Gives the requests of earlier runs. A line that was cut off is removed: its request was never answered. */
  replay() {
    const text = fs.readFileSync(this.file);
    const end = text.lastIndexOf("\n") + 1;
    fs.ftruncateSync(this.file, end);
    const lines = text.subarray(0, end).toString().split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line)).map((kept) => ({ ...kept, body: Buffer.from(kept.body) }));
  }

  append({ method, path, headers, body }) {
    const key = headers["idempotency-key"];
    const kept = { method, path, headers: { "idempotency-key": key }, body: body.toString() };
    fs.writeSync(this.file, `${JSON.stringify(kept)}\n`);
  }
}

module.exports = { Journal };
