#!/usr/bin/env node
'use strict';

const { StringDecoder } = require('node:string_decoder');
const { Interpreter } = require('./lib/commands');

/** Reads commands from standard input, line by line, and writes their answers to standard output. */
async function main() {
  const interpreter = new Interpreter();
  const decoder = new StringDecoder('utf8');
  let pending = '';

  const answer = (lines) => {
    const answers = [];
    for (const line of lines) answers.push(...interpreter.execute(line));
    if (answers.length > 0) process.stdout.write(answers.join('\n') + '\n');
  };

  for await (const chunk of process.stdin) {
    const lines = (pending + decoder.write(chunk)).split('\n');
    pending = lines.pop();
    answer(lines);
  }
  pending += decoder.end();
  answer([pending]);
}

main();
