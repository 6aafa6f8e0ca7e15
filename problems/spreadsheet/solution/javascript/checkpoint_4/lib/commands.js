'use strict';

const { Area, WHOLE_SHEET, cellName, parseCell } = require('./address');
const { parseContent } = require('./cell');
const { FormulaError } = require('./lexer');
const { parseFormula } = require('./parser');
const { Refusal } = require('./refusal');
const { parseSheetName, showSheetName, splitSheetName } = require('./sheetnames');
const { isSameValue, showValue } = require('./values');
const { isName } = require('./words');
const { Workbook } = require('./workbook');

/** Reads what `parse` reads, perhaps with a sheet's name and `!` before it: { sheetName, parsed }. */
function parseOnSheet(word, parse) {
  const parts = splitSheetName(word);
  const parsed = parts === null ? null : parse(parts.rest);
  if (parsed === null) throw new Refusal('cell');
  return { sheetName: parts.sheetName, parsed };
}

function sheetFor(sheetName, workbook) {
  return sheetName === null ? workbook.active : existingSheet(sheetName, workbook);
}

function existingSheet(name, workbook) {
  const sheet = workbook.sheetNamed(name);
  if (sheet === undefined) throw new Refusal('unknown');
  return sheet;
}

function sheetName(word) {
  const name = parseSheetName(word);
  if (name === null) throw new Refusal('sheet');
  return name;
}

function name(word) {
  if (!isName(word)) throw new Refusal('name');
  return word;
}

/**
 * What parameters of commands can be. All arguments are parsed, and only then what they parsed to is resolved: replaced
 * by what it stands for. If `isRest`, the argument is the rest of the line, else a word.
 */
const PARAMETERS = {
  cell: {
    parse: (word) => parseOnSheet(word, parseCell),
    resolve: (cell, workbook) => ({ sheet: sheetFor(cell.sheetName, workbook), ...cell.parsed }),
  },

  area: {
    parse: (word) => parseOnSheet(word, Area.parse),
    resolve: (area, workbook) => ({ sheet: sheetFor(area.sheetName, workbook), area: area.parsed }),
  },

  content: { isRest: true, parse: parseContent },

  formula: {
    isRest: true,
    parse(text) {
      if (!text.startsWith('=')) throw new FormulaError('no = at the beginning');
      return parseFormula(text.slice(1));
    },
  },

  switch: {
    parse(word) {
      if (word !== 'on' && word !== 'off') throw new Refusal('usage');
      return word === 'on';
    },
  },

  sheet: { parse: sheetName, resolve: existingSheet },
  newSheet: { parse: sheetName },
  name: { parse: name },

  definedName: {
    parse: name,
    resolve(word, workbook) {
      const { names } = workbook.store;
      if (!names.has(names.keyOf(word))) throw new Refusal('unknown');
      return word;
    },
  },
};

/** A command that changes something but is no edit. */
function changing(parameters, change) {
  return {
    parameters,
    run(workbook, ...args) {
      change(workbook, ...args);
      return ['ok'];
    },
  };
}

/** A command that edits the workbook. */
function editing(parameters, change) {
  return { parameters, run: (workbook, ...args) => showTrace(workbook.edit(() => change(workbook, ...args))) };
}

/** The answer to an edit. */
function showTrace(trace) {
  if (trace === null) return ['ok'];
  const lines = trace.map(({ cell, old }) => {
    const values = isSameValue(old, cell.value) ? [cell.value] : [old, cell.value];
    return `${showSheetName(cell.sheet.name)}!${cellName(cell)} ${values.map(showValue).join(' -> ')}`;
  });
  return [`ok ${lines.length}`, ...lines];
}

/** Commands that cannot be used while a batch is open, or only then. */
const notInBatch = (command) => ({ ...command, isInBatch: false });
const onlyInBatch = (command) => ({ ...command, isInBatch: true });

/** A command that answers how many lines there are, and the lines. */
function listing(parameters, linesOf) {
  return {
    parameters,
    run(workbook, ...args) {
      const lines = linesOf(workbook, ...args);
      return [`ok ${lines.length}`, ...lines];
    },
  };
}

function listCells(workbook, place = { sheet: workbook.active, area: WHOLE_SHEET }) {
  return workbook.valuesIn(place).map(({ cell, value }) => `${cellName(cell)} ${showValue(value)}`);
}

function listSheets(workbook) {
  return workbook.sheets.map((sheet) => showSheetName(sheet.name) + (sheet === workbook.active ? ' active' : ''));
}

function listNames(workbook) {
  return workbook.store.names.sorted().map((definition) => `${definition.name} ${workbook.showFormula(definition.formula)}`);
}

/** The commands. Parameters with `?` may be left out. `run` gets the workbook and the arguments, and answers lines. */
const COMMANDS = new Map(
  Object.entries({
    set: editing(['cell', 'content'], (workbook, address, content) => workbook.set(address, content)),
    clear: editing(['area'], (workbook, place) => workbook.clear(place)),
    copy: editing(['area', 'area'], (workbook, source, target) => workbook.copy(source, target)),
    get: { parameters: ['cell'], run: (workbook, address) => [showValue(workbook.valueAt(address))] },
    source: { parameters: ['cell'], run: (workbook, address) => [workbook.sourceAt(address) ?? 'empty'] },
    list: listing(['area?'], listCells),

    'sheet add': notInBatch(editing(['newSheet'], (workbook, newName) => workbook.addSheet(newName))),
    'sheet use': notInBatch(changing(['sheet'], (workbook, sheet) => workbook.useSheet(sheet))),
    'sheet rename': notInBatch(
      editing(['sheet', 'newSheet'], (workbook, sheet, newName) => workbook.renameSheet(sheet, newName)),
    ),
    'sheet copy': notInBatch(
      editing(['sheet', 'newSheet'], (workbook, sheet, newName) => workbook.copySheet(sheet, newName)),
    ),
    'sheet delete': notInBatch(editing(['sheet'], (workbook, sheet) => workbook.deleteSheet(sheet))),
    sheets: listing([], listSheets),

    name: editing(['name', 'formula'], (workbook, word, formula) => workbook.defineName(word, formula)),
    unname: editing(['definedName'], (workbook, word) => workbook.deleteName(word)),
    names: listing([], listNames),

    trace: changing(['switch'], (workbook, isOn) => {
      workbook.isTracing = isOn;
    }),
    begin: notInBatch(changing([], (workbook) => workbook.begin())),
    commit: onlyInBatch({ parameters: [], run: (workbook) => showTrace(workbook.commit()) }),
    abort: onlyInBatch(changing([], (workbook) => workbook.abort())),
  }),
);

/** The first words of commands that have two. */
const FIRST_WORDS = new Set(['sheet']);

/** Drops the blanks at both ends, and no other white space. */
function trimBlanks(text) {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

/** Splits `text` at the first blanks that are not between single quotes; the second part is empty if there are none. */
function splitWord(text) {
  const [, word, rest] = /^((?:[^ ']+|'[^']*(?:'|$))*) *(.*)$/s.exec(text);
  return [word, rest];
}

/** Splits a line into the command and the text of its arguments. */
function splitCommand(line) {
  let [command, rest] = splitWord(line);
  if (FIRST_WORDS.has(command)) {
    const [second, others] = splitWord(rest);
    command += ` ${second}`;
    rest = others;
  }
  if (!COMMANDS.has(command)) throw new Refusal('command');
  return [COMMANDS.get(command), rest];
}

/** Splits the text of arguments: { kind, text } for each that is given. */
function splitArguments(text, parameters) {
  const args = [];
  let rest = text;
  for (const parameter of parameters) {
    const [, kindName, optional] = /^([A-Za-z]+)(\??)$/.exec(parameter);
    const kind = PARAMETERS[kindName];
    if (rest === '') {
      if (optional === '') throw new Refusal('usage');
      break;
    }
    const [arg, others] = kind.isRest ? [rest, ''] : splitWord(rest);
    args.push({ kind, text: arg });
    rest = others;
  }
  if (rest !== '') throw new Refusal('usage');
  return args;
}

/** Takes commands for a workbook. */
class Interpreter {
  constructor() {
    this.workbook = new Workbook();
  }

  /** @returns {string[]} the lines of the answer to a line of input */
  execute(line) {
    const text = trimBlanks(line);
    if (text === '' || text.startsWith('#')) return [];
    try {
      return this.run(text);
    } catch (error) {
      if (error instanceof Refusal) return [`error ${error.code}`];
      throw error;
    }
  }

  run(text) {
    const [command, rest] = splitCommand(text);
    const isInBatch = this.workbook.batch !== null;
    if (command.isInBatch !== undefined && command.isInBatch !== isInBatch) throw new Refusal('batch');
    const parsed = splitArguments(rest, command.parameters).map(({ kind, text: arg }) => ({
      kind,
      value: kind.parse(arg),
    }));
    const args = parsed.map(({ kind, value }) => (kind.resolve === undefined ? value : kind.resolve(value, this.workbook)));
    return command.run(this.workbook, ...args);
  }
}

module.exports = { Interpreter };
