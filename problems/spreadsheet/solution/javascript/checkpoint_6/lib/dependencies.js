'use strict';

const { MAX_ROW, cellKey } = require('./address');

/**
 * Rows are grouped into blocks: a block of level n has 2^n rows, and begins at a multiple of 2^n. So every row is in one
 * block of each level.
 */
const LEVELS = Math.ceil(Math.log2(MAX_ROW + 1)) + 1;

function blockKey(level, row) {
  return (row >> level) * LEVELS + level;
}

/** The keys of the one or two blocks that have the rows of an area, of the lowest level with blocks that are as high. */
function blocksOf({ top, bottom, rows }) {
  const level = rows === 1 ? 0 : 32 - Math.clz32(rows - 1);
  const first = blockKey(level, top);
  const last = blockKey(level, bottom);
  return first === last ? [first] : [first, last];
}

/** Which cells depend on which areas of a sheet. */
class Dependencies {
  constructor() {
    /** For areas of one cell: sets of dependent cells by the key of that one. */
    this.byCell = new Map();
    /** For others: { area, dependents } by a text that stands for the area, and sets of these by blocks. */
    this.byArea = new Map();
    this.byBlock = new Map();
  }

  /** Notes that a cell depends on an area. */
  add(area, dependent) {
    const dependents = area.size === 1 ? this.dependentsOfCell(cellKey(area.topLeft)) : this.dependentsOfArea(area);
    dependents.add(dependent);
  }

  dependentsOfCell(key) {
    let dependents = this.byCell.get(key);
    if (dependents === undefined) {
      dependents = new Set();
      this.byCell.set(key, dependents);
    }
    return dependents;
  }

  dependentsOfArea(area) {
    const id = areaId(area);
    let entry = this.byArea.get(id);
    if (entry === undefined) {
      entry = { area, dependents: new Set() };
      this.byArea.set(id, entry);
      for (const block of blocksOf(area)) {
        const entries = this.byBlock.get(block);
        if (entries === undefined) this.byBlock.set(block, new Set([entry]));
        else entries.add(entry);
      }
    }
    return entry.dependents;
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
    const entry = this.byArea.get(id);
    entry?.dependents.delete(dependent);
    if (entry?.dependents.size === 0) this.removeEntry(id, entry);
  }

  removeEntry(id, entry) {
    this.byArea.delete(id);
    for (const block of blocksOf(entry.area)) {
      const entries = this.byBlock.get(block);
      entries.delete(entry);
      if (entries.size === 0) this.byBlock.delete(block);
    }
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

module.exports = { Dependencies };
