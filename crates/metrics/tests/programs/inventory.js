#!/usr/bin/env node
// An inventory server: stock levels in memory, orders from a queue.
'use strict';

const { EventEmitter } = require('events');

/* Limits are per warehouse,
   not per order. */
const LIMITS = { pallets: 40, parcels: 1_200, mixed: null };

class Warehouse extends EventEmitter {
  #stock = new Map();
  onLow = (item) => this.emit('low', item);

  constructor(name, options = {}) {
    super();
    this.name = name ?? 'main';
    this.strict = options.strict === true;
  }

  get size() {
    return this.#stock.size;
  }

  static async load(path) {
    const rows = JSON.parse(await readText(path));
    const warehouse = new Warehouse(path);
    for (const row of rows) {
      if (!row.item || row.count < 0) continue;
      warehouse.#stock.set(row.item, row.count);
    }
    return warehouse;
  }

  *entries() {
    for (const [item, count] of this.#stock) {
      yield `${item}: ${count}`;
    }
  }

  take(item, count) {
    const left = this.#stock.get(item) ?? 0;
    if (left < count) {
      if (this.strict) {
        throw new RangeError(`only ${left} of ${item}`);
      } else if (left === 0) {
        return null;
      }
      count = left;
    }
    this.#stock.set(item, left - count);
    this.last ||= item;
    return left - count < 5 && !this.strict ? this.onLow(item) : count;
  }
}

function priority(order) {
  switch (order.kind) {
    case 'express':
    case 'medical':
      return 0;
    case 'regular': {
      return order.items.length > 10 ? 2 : 1;
    }
    default:
      return 3;
  }
}

const byPriority = (a, b) => priority(a) - priority(b);

const totals = function (orders) {
  let result = 0;
  for (let index = 0; index < orders.length; index += 1) {
    result += orders[index].price;
  }
  return result;
};

const weights = function (parcels) {
  let sum = 0;
  for (let at = 0; at < parcels.length; at += 1) {
    sum += parcels[at].weight;
  }
  return sum;
};

const handlers = {
  async list(request, response) {
    const rows = [...request.warehouse.entries()].filter((row) => /^[a-z]+:/u.test(row));
    response.send(rows.map((row) => row.trim()).join('\n'));
  },
  total: (request, response) => response.send(String(totals(request.orders))),
};

module.exports = function serve(app, warehouse) {
  app.get('/list', handlers.list);
  app.post('/take', (request, response) => {
    try {
      const first = request.orders.filter((order) => order.open)[0];
      const open = first ? true : false;
      response.send({ open, taken: open && warehouse.take(first.item, first.count) });
    } catch (error) {
      response.status(error instanceof RangeError ? 409 : 500).end();
    } finally {
      request.done?.();
    }
  });
  do {
    warehouse.poll();
  } while (warehouse.pending);
  return { limits: LIMITS, sort: (orders) => orders.sort(byPriority) };
};

(function start() {
  if (require.main === module) {
    module.exports(createApp(), new Warehouse());
  }
})();

(() => {
  function inner(value) {
    return value || undefined;
  }
  inner(1);
})();
