"use strict";

/** Makes all changes of what the server keeps, and remembers their inverses during a transaction. */
class Changes {
  constructor() {
    this.inverses = null;
  }

  begin() {
    this.inverses = [];
  }

  commit() {
    this.inverses = null;
  }

  /** Takes back all changes since the beginning, the latest first. */
  undo() {
    this.inverses.reverse().forEach((inverse) => inverse());
    this.inverses = null;
  }

  remember(inverse) {
    this.inverses?.push(inverse);
  }

  set(target, name, value) {
    const before = target[name];
    this.remember(() => {
      target[name] = before;
    });
    target[name] = value;
  }

  put(map, key, value) {
    this.rememberEntry(map, key);
    map.set(key, value);
  }

  remove(map, key) {
    this.rememberEntry(map, key);
    map.delete(key);
  }

  rememberEntry(map, key) {
    const before = map.get(key);
    this.remember(map.has(key) ? () => map.set(key, before) : () => map.delete(key));
  }

  append(items, item) {
    this.remember(() => items.pop());
    items.push(item);
  }
}

module.exports = { Changes };
