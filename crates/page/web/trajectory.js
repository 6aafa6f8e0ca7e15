// One trajectory: its checkpoints in a table, and one of them whole.

const CHECKPOINT_FIGURES = [
  ["$", "cost_usd"], ["minutes", "minutes"], ["tokens", "tokens"], ["erosion", "erosion"], ["verbosity", "verbosity"],
  ["high CC", "complex_callables"], ["largest CC", "largest_cc"], ["LOC", "loc"],
];

function trajectory([place, number]) {
  const at = Number(place);
  const one = page.trajectories[at];
  if (!one) return [heading("No such trajectory"), el("p", null, link("#/trajectories", "All trajectories"))];
  const chosen = one.checkpoints.find((checkpoint) => checkpoint[AT.number] === Number(number)) ?? one.checkpoints[0];
  const beside = (step, words) => (page.trajectories[at + step] ? link(`#/trajectory/${at + step}`, words) : null);
  return [
    heading(`${page.problems[one.problem]}: ${label(one)}`),
    facts([["trajectory", el("code", null, one.id)], ["run", page.runs[one.run].name], ["repeat", one.repeat]]),
    el("p", { class: "actions" }, link("#/trajectories", "All trajectories"), beside(-1, "The one before"), beside(1, "The next one"),
      comparableTo(at, one)),
    checkpointTable(at, one),
    chosen ? checkpointView(at, one, chosen) : el("p", null, "It has no checkpoint."),
  ];
}

/** Other trajectories of the problem, to be looked at beside this one. */
function comparableTo(at, one) {
  return link(`#/trajectories?problem=${one.problem}`, "Others of the problem");
}

function checkpointTable(place, one) {
  const columns = [
    { title: "checkpoint", numeric: true }, { title: "outcome" }, { title: "session" }, { title: "cases passed", numeric: true },
    ...CHECKPOINT_FIGURES.map(([title]) => ({ title, numeric: true })),
  ];
  const figure = (checkpoint, key) => {
    const v = value(checkpoint, key);
    return { v, t: number(v, page.measures[measure(key)].unit) };
  };
  const rows = one.checkpoints.map((checkpoint) => {
    const [passed, total] = [checkpoint[AT.passed], checkpoint[AT.total]];
    const word = outcome(checkpoint);
    return {
      cells: [
        { v: checkpoint[AT.number], node: link(`#/trajectory/${place}/${checkpoint[AT.number]}`, `Checkpoint ${checkpoint[AT.number]}`) },
        { t: word, node: el("span", { class: "outcome", title: MEANING[word] }, mark(word), word) },
        { t: state(checkpoint) },
        total === null ? { t: NOTHING } : { v: passed / Math.max(1, total), t: `${passed}/${total}` },
        ...CHECKPOINT_FIGURES.map(([, key]) => figure(checkpoint, key)),
      ],
    };
  });
  return dataTable({ caption: "Checkpoints", columns, rows });
}

function checkpointView(place, one, checkpoint) {
  const number = checkpoint[AT.number];
  const tabs = one.checkpoints.map((other) => {
    const here = other === checkpoint ? "true" : null;
    return el("li", null, link(`#/trajectory/${place}/${other[AT.number]}`, [mark(outcome(other)), `${other[AT.number]}`],
      { "aria-current": here, "aria-label": `Checkpoint ${other[AT.number]}, ${outcome(other)}` }));
  });
  const body = el("div", { class: "checkpoint", "aria-busy": "true" }, el("p", null, "Reading…"));
  detailShown = showDetail(body, place, one, number);
  return el("section", { "aria-labelledby": "checkpoint" },
    el("nav", { class: "tabs", "aria-label": "Checkpoints" }, el("ul", null, tabs)),
    el("h2", { id: "checkpoint" }, `Checkpoint ${number}`), body);
}

/** Done once the checkpoint that was chosen last is shown whole. */
let detailShown = Promise.resolve();

async function showDetail(body, place, one, number) {
  let content;
  try {
    const detail = await detailOf(place);
    const found = detail?.checkpoints.find((other) => other.checkpoint === number);
    content = found ? checkpointParts(one, found) : [el("p", null,
      "This page has figures alone: what is known of single checkpoints would make it too large. Make a page of fewer runs, or use ",
      el("code", null, `slopbench show RUN ${one.id} ${number}`), ".")];
  } catch (error) {
    content = [el("p", { class: "error", role: "alert" }, String(error.message ?? error))];
  }
  body.replaceChildren(...content.filter(Boolean));
  body.removeAttribute("aria-busy");
}
