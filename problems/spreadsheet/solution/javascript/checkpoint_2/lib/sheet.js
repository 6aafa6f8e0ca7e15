'use strict';

const { WHOLE_SHEET } = require('./address');
const { Cell } = require('./cell');
const { Dependencies } = require('./dependencies');
const { CYCLE } = require('./errors');
const { Evaluator } = require('./evaluator');
const { Grid } = require('./grid');
const { EMPTY } = require('./values');

/** Thrown for copies that leave the sheet. */
class BoundsError extends Error {}

/** Thrown for copies from and to areas that do not fit. */
class ShapeError extends Error {}

class Sheet {
  constructor() {
    this.grid = new Grid();
    this.dependencies = new Dependencies();
    this.evaluator = new Evaluator(this.grid);
  }

  /** @throws {FormulaError} */
  set(address, content) {
    this.put(Cell.ofContent(address, content));
  }

  clear(area) {
    for (const cell of this.cellsIn(area)) this.remove(cell);
  }

  /**
   * Copies an area beside the one cell of `target`, or the one cell of `source` to each cell of an area.
   * @throws {ShapeError | BoundsError}
   */
  copy(source, target) {
    if (source.size > 1 && target.size > 1) throw new ShapeError();
    const targets = source.size === 1 ? target : source.movedTo(target.topLeft);
    if (!targets.isOnSheet()) throw new BoundsError();
    const copies =
      source.size === 1
        ? this.copiesOfCell(source.topLeft, target)
        : this.copiesOfArea(source, target.topLeft);
    this.clear(targets);
    for (const cell of copies) this.put(cell);
  }

  copiesOfCell(address, target) {
    const cell = this.grid.get(address);
    if (cell === undefined) return [];
    const copies = [];
    for (let row = target.top; row <= target.bottom; row += 1) {
      for (let column = target.left; column <= target.right; column += 1) copies.push(cell.copiedTo({ row, column }));
    }
    return copies;
  }

  copiesOfArea(source, { row, column }) {
    return this.cellsIn(source).map((cell) =>
      cell.copiedTo({ row: cell.row - source.top + row, column: cell.column - source.left + column }),
    );
  }

  /** @returns the value of the cell at an address, EMPTY if it is empty */
  valueAt(address) {
    const cell = this.grid.get(address);
    return cell === undefined ? EMPTY : this.valueOf(cell);
  }

  valueOf(cell) {
    if (cell.isStale) this.calculate(cell);
    return cell.value;
  }

  /** @returns {string | null} what the cell at an address holds, null if it is empty */
  sourceAt(address) {
    return this.grid.get(address)?.source ?? null;
  }

  /** @returns {Cell[]} the filled cells in an area, row by row, in a row from the left */
  cellsIn(area = WHOLE_SHEET) {
    return [...this.grid.cellsIn(area)];
  }

  put(cell) {
    const old = this.grid.get(cell);
    if (old !== undefined) this.dependencies.remove(old);
    this.grid.put(cell);
    this.dependencies.add(cell);
    this.makeDependentsStale(cell);
  }

  remove(cell) {
    this.dependencies.remove(cell);
    this.grid.delete(cell);
    this.makeDependentsStale(cell);
  }

  makeDependentsStale(cell) {
    const changed = [cell];
    while (changed.length > 0) {
      this.dependencies.forEachDependent(changed.pop(), (dependent) => {
        if (dependent.isStale) return;
        dependent.isStale = true;
        changed.push(dependent);
      });
    }
  }

  /**
   * Finds the values of a stale cell and of all stale cells that it depends on. This is Tarjan's search for strongly
   * connected components: each component is found after those it depends on, and cells depend on themselves if they
   * are in a component with others or mention themselves.
   */
  calculate(root) {
    const visits = new Map();
    const path = [];
    const open = [];

    const enter = (cell) => {
      const precedents = this.stalePrecedents(cell);
      const visit = { cell, precedents, index: visits.size, low: visits.size, mentionsItself: false };
      visits.set(cell, visit);
      path.push(visit);
      open.push(visit);
    };

    enter(root);
    while (path.length > 0) {
      const visit = path[path.length - 1];
      const { value: precedent, done } = visit.precedents.next();
      if (done) {
        path.pop();
        const parent = path[path.length - 1];
        if (parent !== undefined) parent.low = Math.min(parent.low, visit.low);
        if (visit.low === visit.index) this.finish(open.splice(open.lastIndexOf(visit)));
      } else if (visits.has(precedent)) {
        // It is stale, so it is open: when components are finished, their cells are not stale any more.
        visit.low = Math.min(visit.low, visits.get(precedent).index);
        if (precedent === visit.cell) visit.mentionsItself = true;
      } else {
        enter(precedent);
      }
    }
  }

  /** The cells that the formula of a cell mentions and that are still stale when it is their turn. */
  *stalePrecedents(cell) {
    for (const area of cell.precedents) yield* this.grid.cellsIn(area, (precedent) => precedent.isStale);
  }

  /** Sets the values of the cells of a component; all other cells that they depend on have theirs. */
  finish(component) {
    const isCycle = component.length > 1 || component[0].mentionsItself;
    for (const { cell } of component) {
      cell.value = isCycle ? CYCLE : this.evaluator.valueOfFormula(cell.formula);
      cell.isStale = false;
    }
  }
}

module.exports = { BoundsError, ShapeError, Sheet };
