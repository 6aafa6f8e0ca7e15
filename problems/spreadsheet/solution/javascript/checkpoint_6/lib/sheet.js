'use strict';

const { Dependencies } = require('./dependencies');
const { Grid } = require('./grid');

/** A sheet: its name, its cells, and which cells depend on them. */
class Sheet {
  constructor(name) {
    this.name = name;
    this.grid = new Grid();
    this.dependencies = new Dependencies();
  }
}

module.exports = { Sheet };
