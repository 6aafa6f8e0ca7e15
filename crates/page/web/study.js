// The views of a study whose tables and figures are all that is shown, by hash route.

const VIEWS = [
  { path: "", words: "Overview", show: study },
  { path: "tables", words: "Tables", show: tablesView },
  { path: "figures", words: "Figures", show: figures },
];

const LEGEND = null;

/** What has to be known first, the figures, and the tables that no figure shows. */
function study() {
  const drawn = new Set(page.figures.map((one) => one.name));
  return [
    heading(page.title),
    page.notes.map((note) => el("p", { class: "lead" }, note)),
    facts([
      ["runs", grouped.format(page.population.runs)],
      ["tasks", grouped.format(page.population.problems)],
      ["sessions", grouped.format(page.population.trajectories)],
      ["judged", grouped.format(page.population.graded)],
    ]),
    page.figures.length ? el("h2", null, "Figures") : null,
    page.figures.map(figure),
    el("h2", null, "Tables"),
    page.tables.filter((one) => !drawn.has(one.name)).map((one) => resultTable(one)),
  ];
}
