// Which configuration is better, and is that real?

function overview() {
  if (page.trajectories.length === 0) {
    return [heading("No trajectories"), el("p", null, "These runs plan nothing. Name a run with trajectories.")];
  }
  const one = page.configurations.length === 1;
  return [
    heading(one ? page.configurations[0].label : "Which is better, and is that real?"),
    one ? onlyOne() : answer(),
    population(),
    el("h2", null, "Configurations"),
    leaderboard(),
    el("h2", null, "Problems"),
    byProblem(),
    el("h2", null, "Runs"),
    resultTable(table("runs")),
  ];
}

/** A row of Table 1 per configuration, in the order of the configurations. */
function strictCells() {
  const result = table("table-1");
  const column = result.columns.findIndex((one) => one.key === "strict");
  return result.rows.map((row) => row[column]);
}

function leader() {
  const rates = strictCells().map((cell, place) => [cell.v ?? -1, place]);
  return rates.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
}

function onlyOne() {
  const cell = strictCells()[0];
  if (cell.v === undefined) return el("p", { class: "lead" }, "Nothing is graded yet: ", cell.d || "there is no checkpoint with a workspace", ".");
  return el("p", { class: "lead" }, "Solves ", el("b", null, cell.t), " of its checkpoints strictly ", el("small", null, cell.d),
    ". There is nothing to compare it with: give several runs, or runs of several configurations.");
}

/** The comparison of two configurations, and whether the first of the two is `a`; null where the page has none. */
function comparisonOf(first, second) {
  const found = page.comparisons.find((one) => (one.a === first && one.b === second) || (one.a === second && one.b === first));
  return found ?? null;
}

/** What the tests of strict solve rates say of the leader beside another: `real`, `open`, `too few`, `behind` or `none`. */
function standing(best, other) {
  const compared = comparisonOf(best, other);
  if (!compared) return "none";
  const verdict = compared.table.rows.find((cells) => cells[0].t === "strict")?.at(-1).t ?? "too few";
  if (verdict === "A better" || verdict === "B better") {
    return (verdict === "A better" ? compared.a : compared.b) === best ? "real" : "behind";
  }
  return verdict === "too few" ? "too few" : "open";
}

function answer() {
  const best = leader();
  const cells = strictCells();
  if (cells[best].v === undefined) return el("p", { class: "lead" }, "Nothing is graded yet.");
  const others = page.configurations.map((_, place) => place).filter((place) => place !== best);
  const by = (standingOf) => others.filter((other) => standing(best, other) === standingOf);
  const tie = others.filter((other) => cells[other].v === cells[best].v);
  const names = (places) => places.flatMap((place, index) => [index > 0 ? ", " : "", comparisonLink(best, place)]);
  const line = (places, before, after) => (places.length ? el("li", null, el("b", null, before), names(places), after) : null);
  return [
    el("p", { class: "lead" }, el("b", null, page.configurations[best].label),
      tie.length ? " and " : null, tie.length ? page.configurations[tie[0]].label : null,
      tie.length ? " solve most checkpoints strictly: " : " solves most checkpoints strictly: ", el("b", null, cells[best].t), " ",
      el("small", null, cells[best].d), "."),
    el("ul", { class: "answer" },
      line(by("real"), "That is real beside ", ": the difference is not chance at a level of 5% for all measures together."),
      line(by("behind"), "Paired by problem, it is worse than ", ", and that is real."),
      line(by("open"), "It may be chance beside ", "."),
      line(by("too few"), "Nothing can be said beside ", ": there are too few problems in common."),
      line(by("none"), "Not compared with ", ": the two share no checkpoint, or the page compares the leader alone.")),
    others.length === 1 ? overall(comparisonOf(best, others[0])) : null,
  ];
}

function overall(compared) {
  if (!compared) return null;
  return [
    el("p", null, "In all measures, where A is ", el("b", null, page.configurations[compared.a].label), " and B is ",
      el("b", null, page.configurations[compared.b].label), ":"),
    el("ul", { class: "answer" }, compared.overall.map((sentence) => el("li", null, sentence))),
  ];
}

function comparisonLink(a, b) {
  return link(`#/compare/${a}/${b}`, page.configurations[b].label);
}

function population() {
  const of = page.population;
  const done = of.planned === 0 ? null : `${((100 * of.graded) / of.planned).toFixed(0)}%`;
  return facts([
    ["checkpoints planned", grouped.format(of.planned)],
    ["graded", `${grouped.format(of.graded)} (${done ?? NOTHING})`],
    ["with a workspace", grouped.format(of.produced)],
    ["pending", grouped.format(of.pending)],
    ["infrastructure failures", grouped.format(of.infrastructure)],
    ["figures withheld", grouped.format(of.withheld)],
    ["trajectories", grouped.format(of.trajectories)],
    ["problems", grouped.format(of.problems)],
  ]);
}

/** What of Table 1 is seen at a glance; all of it is among the tables. */
const GLANCE = ["configuration", "strict", "isolated", "core", "cost_usd", "erosion", "verbosity", "graded", "pending", "infrastructure"];

/** Table 1, each row with a link to what it is made of. */
function leaderboard() {
  const result = table("table-1");
  const places = GLANCE.map((key) => result.columns.findIndex((one) => one.key === key)).filter((place) => place >= 0);
  const rows = result.rows.map((cells, row) => places.map((place) =>
    (place === 0 ? { ...cells[0], node: link(`#/trajectories?configuration=${row}`, cells[0].t) } : cells[place])));
  const sort = rows.length > 1 ? { column: 1, descending: true } : null;
  return [
    resultTable({ ...result, columns: places.map((place) => result.columns[place]), rows, csv: "" }, { sort }),
    el("p", null, link("#/tables/table-1", "The whole of Table 1")),
  ];
}

/** Of each problem, how many checkpoints each configuration solves strictly. */
function byProblem() {
  const counts = new Map();
  for (const trajectory of page.trajectories) {
    for (const checkpoint of trajectory.checkpoints) {
      const word = outcome(checkpoint);
      if (word === "pending" || word === "infrastructure") continue;
      const key = trajectory.problem * page.configurations.length + trajectory.configuration;
      const [solved, all] = counts.get(key) ?? [0, 0];
      counts.set(key, [solved + (word === "strict" ? 1 : 0), all + 1]);
    }
  }
  const cell = (problem, configuration) => {
    const [solved, all] = counts.get(problem * page.configurations.length + configuration) ?? [0, 0];
    if (all === 0) return { t: NOTHING };
    const href = `#/trajectories?problem=${problem}&configuration=${configuration}`;
    return { v: solved / all, node: el("span", null, link(href, `${solved}/${all}`), bar(solved / all)) };
  };
  const columns = [{ title: "problem" }, ...page.configurations.map((one) => ({ title: one.label, numeric: true }))];
  const rows = page.problems.map((name, problem) => ({
    cells: [{ t: name }, ...page.configurations.map((_, configuration) => cell(problem, configuration))],
  }));
  return dataTable({ caption: "Checkpoints strictly solved, of those that are graded", columns, rows });
}
