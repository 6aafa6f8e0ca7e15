"use strict";

const word = process.argv[2];
console.log(/^[0-9]+$/.test(word) ? 2 * Number(word) : word);
