'use strict';

const { Area, cellName, parseCell } = require('./address');
const { FormulaError } = require('./lexer');
const { BoundsError, ShapeError, Sheet } = require('./sheet');
const { showValue } = require('./values');

/** Thrown for commands that cannot be done. */
class CommandError extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** What parameters of commands can be, and how they are read. */
const PARAMETERS = {
  cell(word) {
    const address = parseCell(word);
    if (address === null) throw new CommandError('cell');
    return address;
  },

  area(word) {
    const area = Area.parse(word);
    if (area === null) throw new CommandError('cell');
    return area;
  },

  /** The rest of the line, not only a word. */
  content: (text) => text,
};

/**
 * The commands. Parameters with `?` may be left out. Each command gets the sheet and its arguments, changes the sheet, and returns the lines of its
 * answer.
 */
const COMMANDS = new Map(
  Object.entries({
    set: {
      parameters: ['cell', 'content'],
      run(sheet, address, content) {
        sheet.set(address, content);
        return ['ok'];
      },
    },

    clear: {
      parameters: ['area'],
      run(sheet, area) {
        sheet.clear(area);
        return ['ok'];
      },
    },

    get: {
      parameters: ['cell'],
      run: (sheet, address) => [showValue(sheet.valueAt(address))],
    },

    source: {
      parameters: ['cell'],
      run: (sheet, address) => [sheet.sourceAt(address) ?? 'empty'],
    },

    list: {
      parameters: ['area?'],
      run(sheet, area) {
        const lines = sheet.cellsIn(area).map((cell) => `${cellName(cell)} ${showValue(sheet.valueOf(cell))}`);
        return [`ok ${lines.length}`, ...lines];
      },
    },

    copy: {
      parameters: ['area', 'area'],
      run(sheet, source, target) {
        sheet.copy(source, target);
        return ['ok'];
      },
    },
  }),
);

/** Drops the blanks at both ends, and no other white space. */
function trimBlanks(text) {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/** Splits `text` at the first blanks; the second part is empty if there are none. */
function splitWord(text) {
  const [, word, rest] = /^([^ ]*) *(.*)$/s.exec(text);
  return [word, rest];
}

/** Reads the arguments of a command. */
function parseArguments(text, parameters) {
  const given = [];
  let rest = text;
  for (const parameter of parameters) {
    const [, kind, optional] = /^([a-z]+)(\??)$/.exec(parameter);
    if (rest === '') {
      if (optional === '') throw new CommandError('usage');
      break;
    }
    let word = rest;
    if (kind === 'content') rest = '';
    else [word, rest] = splitWord(rest);
    given.push({ kind, word });
  }
  if (rest !== '') throw new CommandError('usage');
  return given.map(({ kind, word }) => PARAMETERS[kind](word));
}

/** The code of an `error` answer. */
function errorCode(error) {
  if (error instanceof CommandError) return error.code;
  if (error instanceof FormulaError) return 'formula';
  if (error instanceof ShapeError) return 'shape';
  if (error instanceof BoundsError) return 'bounds';
  throw error;
}

/** Takes commands for a sheet. */
class Interpreter {
  constructor() {
    this.sheet = new Sheet();
  }

  /** @returns {string[]} the lines of the answer to a line of input */
  execute(line) {
    const text = trimBlanks(line);
    if (text === '' || text.startsWith('#')) return [];
    try {
      const [name, rest] = splitWord(text);
      const command = COMMANDS.get(name);
      if (command === undefined) throw new CommandError('command');
      return command.run(this.sheet, ...parseArguments(rest, command.parameters));
    } catch (error) {
      return [`error ${errorCode(error)}`];
    }
  }
}

module.exports = { Interpreter };
