// Every trajectory: search, filters, sortable columns.

const SEARCH = ["q", "problem", "configuration", "outcome", "run"];

/** What a trajectory is filtered by: `all strict` and so on. */
function endings(trajectory) {
  const words = trajectory.checkpoints.map(outcome);
  const found = new Set(words);
  const solved = words.filter((word) => word === "strict").length;
  found.add(solved === words.length ? "all strict" : solved > 0 ? "some strict" : "none strict");
  return found;
}

function trajectories(_, query) {
  const wanted = Object.fromEntries(SEARCH.map((name) => [name, query.get(name) ?? ""]));
  let order = sortOf(query);
  const list = el("div");
  const count = el("p", { role: "status", class: "count" });

  function apply() {
    const rows = page.trajectories.map((one, place) => [one, place]).filter(([one]) => matches(one, wanted));
    const empty = rows.length === 0 ? "No trajectory is like that: change or clear the filters." : "";
    count.replaceChildren(empty || `${grouped.format(rows.length)} of ${plural(page.trajectories.length, "trajectory").replace("trajectorys", "trajectories")}`);
    list.replaceChildren(rows.length ? trajectoryTable(rows, order, (next) => { order = next; remember(); }) : "");
  }

  function remember() {
    const next = new URLSearchParams(Object.entries(wanted).filter(([, text]) => text !== ""));
    if (order) next.set("sort", `${order.descending ? "-" : ""}${order.column}`);
    const text = next.toString();
    history.replaceState(null, "", `#/trajectories${text ? `?${text}` : ""}`);
  }

  function change(name, text) {
    wanted[name] = text;
    remember();
    apply();
  }

  const search = el("input", { type: "search", value: wanted.q, placeholder: "part of a name" });
  search.addEventListener("input", () => change("q", search.value));
  const all = (words) => [["", `all ${words}`]];
  const selects = [
    ["Problem", "problem", [...all("problems"), ...page.problems.map((name, place) => [place, name])]],
    ["Configuration", "configuration", [...all("configurations"), ...page.configurations.map((one, place) => [place, one.label])]],
    ["Outcome", "outcome", [...all("outcomes"), ...["all strict", "some strict", "none strict", ...page.outcomes].map((one) => [one, one === "strict" ? "a strict checkpoint" : one])]],
    ["Run", "run", [...all("runs"), ...page.runs.map((run, place) => [place, run.name])]],
  ];
  const shown = selects.filter(([, name, options]) => options.length > 2 || wanted[name] !== "");
  const fields = shown.map(([words, name, options]) => field(words, choice(options, wanted[name], (text) => change(name, text))));
  apply();
  return [heading("Trajectories"), el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
    field("Search", search), fields, el("p", { class: "field" }, link("#/trajectories", "Clear the filters"))), count, legend(), list];
}

function sortOf(query) {
  const text = query.get("sort");
  if (!text || !/^-?\d+$/.test(text)) return null;
  const column = Number(text.replace("-", ""));
  return column < TRAJECTORY_COLUMNS.length ? { column, descending: text.startsWith("-") } : null;
}

function matches(trajectory, wanted) {
  const is = (name, of) => wanted[name] === "" || Number(wanted[name]) === of;
  if (!is("problem", trajectory.problem) || !is("configuration", trajectory.configuration) || !is("run", trajectory.run)) return false;
  if (wanted.outcome !== "" && !endings(trajectory).has(wanted.outcome)) return false;
  const text = `${trajectory.id} ${page.problems[trajectory.problem]} ${label(trajectory)} ${page.runs[trajectory.run].name}`.toLowerCase();
  return wanted.q.toLowerCase().split(/\s+/).every((part) => text.includes(part));
}

const TRAJECTORY_COLUMNS = [
  { title: "problem" },
  { title: "configuration" },
  { title: "repeat", numeric: true },
  { title: "checkpoints", hint: "A mark per checkpoint" },
  { title: "strict", numeric: true, hint: "Checkpoints strictly solved, of all that were planned" },
  { title: "$", numeric: true, hint: "Cost of all sessions by the price table" },
  { title: "minutes", numeric: true, hint: "Of all sessions" },
  { title: "erosion", numeric: true, hint: "At the last checkpoint that has it" },
  { title: "verbosity", numeric: true, hint: "At the last checkpoint that has it" },
];

function trajectoryTable(rows, sort, onsort) {
  const last = (trajectory, key) => trajectory.checkpoints.map((one) => value(one, key)).findLast((one) => one !== null) ?? null;
  const all = (trajectory, key) => sum(trajectory.checkpoints.map((one) => value(one, key)));
  const numeric = (v, unit) => ({ v, t: number(v, unit) });
  const cells = ([trajectory, place]) => {
    const solved = trajectory.checkpoints.filter((one) => outcome(one) === "strict").length;
    const problem = page.problems[trajectory.problem];
    return [
      { t: problem, node: link(`#/trajectory/${place}`, problem) },
      { t: label(trajectory) },
      { v: trajectory.repeat, t: String(trajectory.repeat) },
      { v: solved / trajectory.checkpoints.length, node: strip(trajectory.checkpoints) },
      { v: solved / trajectory.checkpoints.length, t: `${solved}/${trajectory.checkpoints.length}` },
      numeric(all(trajectory, "cost_usd"), "dollars"),
      numeric(all(trajectory, "minutes"), "minutes"),
      numeric(last(trajectory, "erosion"), "fraction"),
      numeric(last(trajectory, "verbosity"), "fraction"),
    ];
  };
  return dataTable({
    caption: "Trajectories: from a row's link, the arrow keys lead up and down",
    columns: TRAJECTORY_COLUMNS,
    rows: rows.map((row) => ({ cells: cells(row) })),
    sort,
    onsort,
  });
}
