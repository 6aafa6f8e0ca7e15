'use strict';

const { MAX_ROW, cellKey } = require('./address');

/**
 * Rows are grouped into blocks: a block of level n has 2^n rows, and begins at a multiple of 2^n. Every span of rows
 * consists of a few blocks, and every row is in one block of each level.
 */
const LEVELS = Math.ceil(Math.log2(MAX_ROW + 1));

function blockKey(level, row) {
  return (row >> level) * LEVELS + level;
}

/** The keys of the largest blocks that together have exactly the rows of the area. */
function* blocksOfArea({ top, bottom }) {
  let row = top;
  while (row <= bottom) {
    let level = 0;
    while (row % (2 << level) === 0 && row + (2 << level) - 1 <= bottom) level += 1;
    yield blockKey(level, row);
    row += 1 << level;
  }
}

/** Which cells depend on which areas of a sheet. */
class Dependencies {
  constructor() {
    /** For areas of one cell: sets of dependent cells by the key of that one. */
    this.byCell = new Map();
    /** For others: for each block a map of { area, dependents }, by a text that stands for the area. */
    this.byBlock = new Map();
  }

  /** Notes that a cell depends on an area. */
  add(area, dependent) {
    if (area.size === 1) {
      getOrInsert(this.byCell, cellKey(area.topLeft), () => new Set()).add(dependent);
      return;
    }
    const id = areaId(area);
    for (const block of blocksOfArea(area)) {
      const areas = getOrInsert(this.byBlock, block, () => new Map());
      getOrInsert(areas, id, () => ({ area, dependents: new Set() })).dependents.add(dependent);
    }
  }

  /** Takes back what `add` noted, if it is not taken back already. */
  remove(area, dependent) {
    if (area.size === 1) {
      const key = cellKey(area.topLeft);
      const dependents = this.byCell.get(key);
      dependents?.delete(dependent);
      if (dependents?.size === 0) this.byCell.delete(key);
      return;
    }
    const id = areaId(area);
    for (const block of blocksOfArea(area)) this.removeFromBlock(block, id, dependent);
  }

  removeFromBlock(block, id, dependent) {
    const areas = this.byBlock.get(block);
    const dependents = areas?.get(id)?.dependents;
    if (dependents === undefined) return;
    dependents.delete(dependent);
    if (dependents.size === 0) areas.delete(id);
    if (areas.size === 0) this.byBlock.delete(block);
  }

  /** Calls `visit` with the cells that directly depend on the one at an address, with some of them perhaps repeatedly. */
  forEachDependent(address, visit) {
    this.byCell.get(cellKey(address))?.forEach(visit);
    if (this.byBlock.size === 0) return;
    for (let level = 0; level < LEVELS; level += 1) {
      this.byBlock.get(blockKey(level, address.row))?.forEach(({ area, dependents }) => {
        if (area.contains(address)) dependents.forEach(visit);
      });
    }
  }
}

function areaId({ top, left, bottom, right }) {
  return `${top},${left},${bottom},${right}`;
}

function getOrInsert(map, key, create) {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

module.exports = { Dependencies };
