'use strict';

const { Area, WHOLE_SHEET, cellName, columnNumber, parseCell } = require('./address');
const { parseContent } = require('./cell');
const { FormulaError } = require('./lexer');
const { Deletion, Insertion } = require('./lines');
const { parseFormula } = require('./parser');
const { Refusal } = require('./refusal');
const { parseSheetName, showSheetName, splitSheetName } = require('./sheetnames');
const { isSameValue, showValue } = require('./values');
const { isName } = require('./words');
const { Workbook } = require('./workbook');

/** All codes of `error` answers: if several apply, the first of these is answered. */
const CODES = [
  'command',
  'batch',
  'usage',
  'cell',
  'sheet',
  'name',
  'formula',
  'unknown',
  'exists',
  'last',
  'shape',
  'bounds',
  'array',
];

const ROW = /^[1-9][0-9]{0,4}$/;
const COLUMN = /^[A-Za-z]{1,2}$/;
const COUNT = /^[1-9][0-9]{0,4}$/;

/** Reads what `parse` reads (null for what is none), perhaps with a sheet's name and `!` before it: { sheetName, parsed }. */
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

function resolveLine(line, workbook) {
  return { sheet: sheetFor(line.sheetName, workbook), line: line.parsed };
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

  row: {
    parse: (word) => parseOnSheet(word, (text) => (ROW.test(text) ? Number(text) : null)),
    resolve: resolveLine,
  },

  column: {
    parse: (word) => parseOnSheet(word, (text) => (COLUMN.test(text) ? columnNumber(text) : null)),
    resolve: resolveLine,
  },

  count: {
    parse(word) {
      if (!COUNT.test(word)) throw new Refusal('usage');
      return Number(word);
    },
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

  scenario: {
    parse: name,
    resolve(word, workbook) {
      const scenario = workbook.scenarios.get(word);
      if (scenario === undefined) throw new Refusal('unknown');
      return scenario;
    },
  },

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
  return trace === null ? ['ok'] : counted(trace.map(traceLine));
}

function traceLine({ cell, old, value }) {
  const values = isSameValue(old, value) ? [value] : [old, value];
  return `${fullCellName(cell)} ${values.map(showValue).join(' -> ')}`;
}

/** The name of a cell with its sheet's. */
function fullCellName(cell) {
  return `${showSheetName(cell.sheet.name)}!${cellName(cell)}`;
}

/** An answer that consists of a number of lines. */
function counted(lines) {
  return [`ok ${lines.length}`, ...lines];
}

/** Commands that cannot be used while a batch is open, or only then. */
const notInBatch = (command) => ({ ...command, isInBatch: false });
const onlyInBatch = (command) => ({ ...command, isInBatch: true });

/** A command that answers how many lines there are, and the lines. */
function listing(parameters, linesOf) {
  return { parameters, run: (workbook, ...args) => counted(linesOf(workbook, ...args)) };
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

function listChanges(workbook, { changes }) {
  return changes.cellsOf(workbook.sheets).map((cell) => `${fullCellName(cell)} ${workbook.showContent(cell)}`);
}

/** The command that changes lines (a parameter of this kind) by a kind of LineChange. */
function changingLines(kind, LineChange) {
  return notInBatch(
    editing([kind, 'count?'], (workbook, { sheet, line }, count = 1) =>
      workbook.changeLines(sheet, new LineChange(kind, line, count)),
    ),
  );
}

/** What is done when a command's second word is none of those that there are. */
const BAD_USAGE = notInBatch({
  parameters: [],
  run() {
    throw new Refusal('usage');
  },
});

/** The commands. Parameters with `?` may be left out. `run` gets the workbook and the arguments, and answers lines. */
const COMMANDS = new Map(
  Object.entries({
    set: editing(['cell', 'content'], (workbook, address, content) => workbook.set(address, content)),
    clear: editing(['area'], (workbook, place) => workbook.clear(place)),
    copy: editing(['area', 'area'], (workbook, source, target) => workbook.copy(source, target)),
    array: editing(['area', 'formula'], (workbook, place, formula) => workbook.setArray(place, formula)),
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

    'insert rows': changingLines('row', Insertion),
    'insert columns': changingLines('column', Insertion),
    'delete rows': changingLines('row', Deletion),
    'delete columns': changingLines('column', Deletion),

    'scenario set': notInBatch(
      changing(['name', 'cell', 'content'], (workbook, word, address, content) =>
        workbook.changeInScenario(word, address, content),
      ),
    ),
    'scenario clear': notInBatch(
      changing(['name', 'cell'], (workbook, word, address) => workbook.emptyInScenario(word, address)),
    ),
    'scenario forget': notInBatch(
      changing(['scenario', 'cell'], (workbook, scenario, address) => workbook.forgetInScenario(scenario, address)),
    ),
    'scenario list': notInBatch(listing(['scenario'], listChanges)),
    'scenario run': notInBatch({
      parameters: ['scenario'],
      run: (workbook, scenario) => showTrace(workbook.traceOfScenario(scenario)),
    }),
    'scenario get': notInBatch({
      parameters: ['scenario', 'cell'],
      run: (workbook, scenario, address) => [showValue(workbook.valueInScenario(scenario, address))],
    }),
    'scenario apply': notInBatch(editing(['scenario'], (workbook, scenario) => workbook.applyScenario(scenario))),
    'scenario drop': notInBatch(changing(['scenario'], (workbook, scenario) => workbook.dropScenario(scenario))),
    scenarios: listing([], (workbook) => workbook.scenarios.sortedNames()),

    trace: changing(['switch'], (workbook, isOn) => {
      workbook.isTracing = isOn;
    }),
    begin: notInBatch(changing([], (workbook) => workbook.begin())),
    commit: onlyInBatch({ parameters: [], run: (workbook) => showTrace(workbook.commit()) }),
    abort: onlyInBatch(changing([], (workbook) => workbook.abort())),
  }),
);

/**
 * The first words of commands that have two: how the text after the first is split into the second word and the text
 * of the arguments, and the command for other second words, if any.
 */
const GROUPS = new Map(
  Object.entries({
    sheet: { split: splitWord, otherwise: undefined },
    insert: { split: splitWord, otherwise: BAD_USAGE },
    delete: { split: splitWord, otherwise: BAD_USAGE },
    scenario: { split: splitSecondWord, otherwise: BAD_USAGE },
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

/** Splits `text` at the first blanks that are not between single quotes; the second part is empty if there are none. */
function splitWord(text) {
  const [, word, rest] = /^((?:[^ ']+|'[^']*(?:'|$))*) *(.*)$/s.exec(text);
  return [word, rest];
}

/** Like splitWord, but takes out the second word: the first belongs to the arguments. */
function splitSecondWord(text) {
  const [first, others] = splitWord(text);
  const [second, rest] = splitWord(others);
  return [second, `${first} ${rest}`];
}

/** Splits a line into the command and the text of its arguments. */
function splitCommand(line) {
  const [first, rest] = splitWord(line);
  const group = GROUPS.get(first);
  let [command, args] = [COMMANDS.get(first), rest];
  if (group !== undefined) {
    const [second, others] = group.split(rest);
    [command, args] = [COMMANDS.get(`${first} ${second}`) ?? group.otherwise, others];
  }
  if (command === undefined) throw new Refusal('command');
  return [command, args];
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

/** Does `read` for each element; if this is refused for some of them, throws the refusal that comes first by its code. */
function readAll(elements, read) {
  const refusals = [];
  const results = elements.map((element) => {
    try {
      return read(element);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
      return undefined;
    }
  });
  if (refusals.length === 0) return results;
  throw refusals.reduce((first, other) => (CODES.indexOf(other.code) < CODES.indexOf(first.code) ? other : first));
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
    const { workbook } = this;
    const [command, rest] = splitCommand(text);
    const isInBatch = workbook.batch !== null;
    if (command.isInBatch !== undefined && command.isInBatch !== isInBatch) throw new Refusal('batch');
    const given = splitArguments(rest, command.parameters);
    const parsed = readAll(given, ({ kind, text: arg }) => ({ kind, value: kind.parse(arg) }));
    const args = readAll(parsed, ({ kind, value }) => (kind.resolve === undefined ? value : kind.resolve(value, workbook)));
    return command.run(workbook, ...args);
  }
}

module.exports = { Interpreter };
