// Two configurations beside each other.

function compare([first, second]) {
  const count = page.configurations.length;
  if (count < 2) {
    return [heading("Compare"), el("p", null, "There is one configuration: give several runs, or runs of several configurations.")];
  }
  const valid = (text, other) => (Number.isInteger(Number(text)) && text !== undefined && page.configurations[Number(text)] ? Number(text) : other);
  const a = valid(first, leader());
  const b = valid(second, a === 0 ? 1 : 0);
  const options = page.configurations.map((one, place) => [place, one.label]);
  const go = (left, right) => { location.hash = `#/compare/${left}/${right}`; };
  return [
    heading("Compare"),
    el("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      field("One", choice(options, a, (chosen) => go(chosen, b))), field("The other", choice(options, b, (chosen) => go(a, chosen)))),
    a === b ? el("p", null, "Choose two that differ.") : [tested(a, b), el("h2", null, "Problem by problem"), problemByProblem(Math.min(a, b), Math.max(a, b))],
  ];
}

function tested(a, b) {
  const compared = comparisonOf(a, b);
  const [left, right] = [Math.min(a, b), Math.max(a, b)];
  const names = el("p", null, el("b", null, "A"), ` is ${page.configurations[left].label}; `, el("b", null, "B"), ` is ${page.configurations[right].label}.`);
  if (!compared) {
    return [names, absent("The two share no checkpoint, or there are too many pairs for one page: `slopbench compare-runs` tests any two.")];
  }
  return [
    names,
    el("ul", { class: "answer" }, compared.overall.map((sentence) => el("li", null, sentence))),
    resultTable(verdictsFirst(compared.table)),
    disclosure("Every measure in a sentence", () => el("ul", null, compared.measures.map((sentence) => el("li", null, sentence)))),
  ];
}

/** The columns that answer come first. */
const ANSWERS = ["measure", "verdict", "a", "b", "difference", "p_holm", "effect"];

function verdictsFirst(result) {
  const rank = ({ key }) => (ANSWERS.includes(key) ? ANSWERS.indexOf(key) : ANSWERS.length);
  const places = result.columns.map((_, place) => place).sort((one, other) => rank(result.columns[one]) - rank(result.columns[other]));
  const arranged = (cells) => places.map((place) => cells[place]);
  return { ...result, title: "Every measure, B beside A", columns: arranged(result.columns), rows: result.rows.map(arranged) };
}

function problemByProblem(a, b) {
  const list = el("div");
  const show = (key) => {
    const unit = page.measures[measure(key)].unit;
    const values = new Map();
    for (const trajectory of page.trajectories) {
      if (trajectory.configuration !== a && trajectory.configuration !== b) continue;
      const sides = values.get(trajectory.problem) ?? [[], []];
      sides[trajectory.configuration === a ? 0 : 1].push(...trajectory.checkpoints.map((one) => value(one, key)));
      values.set(trajectory.problem, sides);
    }
    const rows = [...values].map(([problem, sides]) => {
      const [left, right] = sides.map(mean);
      const difference = left === null || right === null ? null : right - left;
      const name = page.problems[problem];
      return { cells: [
        { t: name, node: link(`#/trajectories?problem=${problem}`, name) }, { v: left, t: number(left, unit) }, { v: right, t: number(right, unit) },
        { v: difference, t: difference === null ? NOTHING : `${difference > 0 ? "+" : ""}${number(difference, unit)}` },
      ] };
    });
    list.replaceChildren(dataTable({
      caption: `Means of all checkpoints: ${page.measures[measure(key)].title}`,
      columns: [{ title: "problem" }, { title: "A", numeric: true }, { title: "B", numeric: true }, { title: "B − A", numeric: true }],
      rows,
    }));
  };
  show("strict");
  const options = page.measures.map((one) => [one.key, one.title]);
  return el("div", null, field("Measure", choice(options, "strict", show)), list);
}
