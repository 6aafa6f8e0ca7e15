// What is known of one checkpoint.

function checkpointParts(one, detail) {
  return [
    sessionPart(detail),
    part("Specification", () => specification(one, detail.checkpoint)),
    part("Cases", () => cases(one, detail), true),
    part("Measurements", () => measurements(detail.code), true),
    part("Changes", () => changes(detail)),
    part("Source", () => sourceFiles(detail)),
    part(`Steps${detail.steps ? ` (${detail.steps.steps.length + detail.steps.left_out})` : ""}`, () => steps(one, detail)),
    part("Usage", () => usage(detail.session)),
  ];
}

function part(title, make, open = false) {
  return disclosure(el("h3", null, title), make, { class: "part", open });
}

function sessionPart(detail) {
  const session = detail.session;
  if (!session) return absent("No session of it is kept: it was not reached, is still to be done, or its provider gave no answer.");
  return facts([
    ["ended", session.outcome],
    ["began", session.began],
    ["minutes", number(session.seconds / 60, "minutes")],
    ["cost by the price table", session.cost_usd === null ? "unknown" : `$${number(session.cost_usd, "dollars")}`],
    ["turns", session.footprint.turns],
    ["lines edited", session.footprint.lines_edited],
  ]);
}

function specification(one, number) {
  const texts = page.specifications[`${page.problems[one.problem]} ${page.configurations[one.configuration].setup.track}`];
  const text = texts?.[number - 1];
  if (!text) return absent("The problem is not at hand as it was asked: make the page where it is, or name its folder with --problems.");
  return el("pre", { class: "prose", tabindex: "0" }, text);
}

const CASE = { name: 0, category: 1, regression: 2, verdict: 3, said: 4 };

function cases(one, detail) {
  const verdicts = detail.verdicts;
  if (!verdicts) return absent("It is not graded yet.");
  const failed = verdicts.cases.filter((one) => one[CASE.verdict] !== "pass");
  const build = verdicts.build_failed ? el("pre", { tabindex: "0" }, verdicts.build_failed) : null;
  const list = el("div");
  const columns = [{ title: "case" }, { title: "category" }, { title: "verdict" }, { title: "what was not as expected" }];
  const show = (some) => list.replaceChildren(some.length === 0 ? absent("None.") : dataTable({
    caption: "Cases",
    columns,
    rows: some.map((one) => ({ cells: [
      { t: one[CASE.name], node: el("code", null, one[CASE.name]) },
      { t: one[CASE.regression] ? `${one[CASE.category]}, regression` : one[CASE.category] },
      { t: one[CASE.verdict], node: el("span", { class: one[CASE.verdict] === "pass" ? "good" : "bad" }, one[CASE.verdict]) },
      { t: one[CASE.said] ?? "" },
    ] })),
  }));
  const which = choice([["failed", `not passed (${failed.length})`], ["all", `all (${verdicts.cases.length})`]], "failed",
    (chosen) => show(chosen === "all" ? verdicts.cases : failed));
  show(failed);
  return el("div", null, build, field("Show", which), list, failed.length === 0 ? null : difference(one, detail));
}

/** A word of a command line, as shells read it: names of runs are anybody's. */
function quoted(word) {
  const text = String(word);
  return /^[A-Za-z0-9_.\/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How to see what was expected and what came. */
function difference(one, detail) {
  if (page.synthetic || !detail.session?.workspace) return null;
  const track = page.configurations[one.configuration].setup.track;
  const options = ["--checkpoint", detail.checkpoint, ...(track === "python" ? [] : ["--track", track])];
  const solution = `${page.runs[one.run].name}/trees/${detail.session.workspace}`;
  const command = ["slopbench", "test", page.problems[one.problem], ...options, "--solution", solution].map(quoted).join(" ");
  return el("div", null, el("p", null, "A run keeps what was not as expected, and never what was. Where the problem is at hand, beside the run's folder, this shows the difference:"),
    el("pre", { tabindex: "0" }, command));
}

function measurements(code) {
  if (!code) return absent("There is no code, or it is not graded yet.");
  if (code.withheld) {
    return el("div", null, el("p", { class: "caution" }, `Figures are withheld: ${code.withheld}.`), unmeasured(code));
  }
  if (code.total_lines === 0) return el("div", null, absent("There is not a line of code."), unmeasured(code));
  const share = (lines) => `${grouped.format(lines)} (${number(lines / code.total_lines, "share")})`;
  const callables = code.callables.map(([path, name, first, last, cc, sloc, mass]) => ({ cells: [
    { t: name, node: el("code", null, name) }, { t: `${path}:${first}–${last}` }, { v: cc, t: String(cc) },
    { v: sloc, t: String(sloc) }, { v: mass, t: number(mass, "count") },
  ] }));
  const rules = code.rules.map(([rule, count, counts]) => ({ cells: [
    { t: rule, node: el("code", null, rule) }, { v: count, t: String(count) }, { t: counts ? "verbosity" : "advice alone" },
  ] }));
  const left = code.callables_in_all - code.callables.length;
  return el("div", null,
    facts([["files", code.files], ["lines", grouped.format(code.total_lines)], ["flagged lines", share(code.flagged_lines)],
      ["cloned lines", share(code.clone_lines)], ["verbose lines of code", share(code.verbose_lines)]]),
    callables.length === 0 ? absent("There is no function or method: erosion is 0 for want of any.") : dataTable({
      caption: `Callables by complexity mass${left > 0 ? `, the first ${callables.length} of ${code.callables_in_all}` : ""}`,
      columns: [{ title: "callable" }, { title: "where" }, { title: "CC", numeric: true }, { title: "SLOC", numeric: true },
        { title: "mass", numeric: true, hint: "CC · √SLOC" }],
      rows: callables,
    }),
    rules.length === 0 ? null : dataTable({
      caption: "Rules that match",
      columns: [{ title: "rule" }, { title: "matches", numeric: true }, { title: "counts in" }],
      rows: rules,
    }),
    unmeasured(code));
}

function unmeasured(code) {
  if (code.unmeasured.length === 0) return null;
  return el("div", null, el("h4", null, "Not measured"), el("ul", null, code.unmeasured.map((one) => el("li", null, one))));
}

function changes(detail) {
  if (detail.diff === undefined) return absent(withoutSources("diffs"));
  if (detail.diff === "") return absent("Nothing changed.");
  return diffView(detail.diff);
}

function withoutSources(what) {
  return page.sources ? `No workspace is kept of it, so there are no ${what}.` : `The page was made without ${what}: give --sources.`;
}

/** A unified diff, a disclosure per file. */
function diffView(text) {
  const files = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("--- ") || files.length === 0) files.push([]);
    files.at(-1).push(line);
  }
  const kinds = [["+++", "file"], ["---", "file"], ["@@", "hunk"], ["+", "added"], ["-", "removed"]];
  const kind = (line) => kinds.find(([start]) => line.startsWith(start))?.[1] ?? null;
  return el("div", null, files.map((lines) => {
    const name = (lines.find((line) => line.startsWith("+++ ") && line !== "+++ /dev/null") ?? lines[0]).slice(4).replace(/^b\//, "");
    const count = (of) => lines.filter((line) => kind(line) === of).length;
    const summary = [el("code", null, name), ` +${count("added")} −${count("removed")}`];
    return disclosure(summary, () => codeLines(lines.map((line) => [null, kind(line), line])), { open: files.length === 1, class: "file" });
  }));
}

/** Lines of code: number, class, text, what is said of the line, and a letter for each of its marks. */
function codeLines(lines) {
  const row = ([number, className, text, title, mark]) =>
    el("span", { class: `line ${className ?? ""}`, "data-line": number, "data-mark": number ? mark ?? "" : null, title }, `${text}\n`);
  return el("pre", { class: "code", tabindex: "0" }, el("code", null, lines.map(row)));
}

function sourceFiles(detail) {
  if (!detail.sources) return absent(withoutSources("sources"));
  if (detail.sources.length === 0) return absent("There is no source that is measured.");
  const key = el("p", { class: "key" }, el("span", { class: "line flagged" }, "r: a rule matches"), " ", el("span", { class: "line cloned" }, "c: a clone"), " ",
    el("span", { class: "line flagged cloned" }, "rc: both"));
  return el("div", null, key, detail.sources.map((file) => disclosure(el("code", null, file.path), () => sourceView(file, detail.code),
    { open: detail.sources.length === 1, class: "file" })));
}

function sourceView(file, code) {
  const within = (spans, line) => (spans ?? []).some(([first, last]) => first <= line && line <= last);
  const found = (code?.matches ?? []).filter(([path]) => path === file.path);
  const lines = file.text.replace(/\n$/, "").split("\n").map((text, place) => {
    const line = place + 1;
    const flagged = within(file.flagged, line);
    const cloned = within(file.clones, line);
    const rules = found.filter(([, first, last]) => first <= line && line <= last).map(([, , , rule]) => code.rules[rule][0]);
    const said = [...new Set(rules), ...(cloned ? ["clone"] : [])].join(", ");
    const letters = `${flagged ? "r" : ""}${cloned ? "c" : ""}`;
    return [line, [flagged ? "flagged" : "", cloned ? "cloned" : ""].join(" "), text, said || null, letters];
  });
  const note = file.flagged ? null : absent("This version of the analyzer finds other figures than were kept, so no line is marked.");
  return el("div", null, note, codeLines(lines));
}

function steps(one, detail) {
  const list = detail.steps;
  if (!list) {
    const kept = `${page.runs[one.run].name}/units/${one.id}/checkpoint_${detail.checkpoint}/session`;
    return absent(["The worker told of no steps.", detail.session && !page.synthetic ? [" What it wrote is in ", el("code", null, kept), "."] : null]);
  }
  const items = list.steps.map((step) => el("li", { class: step.source },
    el("p", { class: "who" }, el("b", null, step.source), step.subagent ? ` (${step.subagent})` : null,
      step.tokens ? el("small", null, `${grouped.format(step.tokens[0])} tokens in${step.tokens[1] === null ? "" : `, ${grouped.format(step.tokens[1])} out`}`) : null),
    step.reasoning ? el("blockquote", null, step.reasoning) : null,
    step.message ? el("p", { class: "said" }, step.message) : null,
    (step.calls ?? []).map((call) => el("div", { class: "call" }, el("p", null, el("code", null, call.tool)),
      el("pre", { tabindex: "0" }, call.arguments), call.result === undefined ? null : el("pre", { class: "result", tabindex: "0" }, call.result)))));
  const left = list.left_out > 0 ? absent(`${plural(list.left_out, "more step")} not shown; slopbench show has them.`) : null;
  return el("div", null, el("p", null, list.agent), el("ol", { class: "steps" }, items), left);
}

function usage(session) {
  const models = Object.entries(session?.usage ?? {});
  if (models.length === 0) return absent("Nobody tells of tokens.");
  const fields = [["input", "input"], ["of it cached", "cached_input"], ["cache writes", "cache_writes"], ["output", "output"], ["of it reasoning", "reasoning"]];
  return dataTable({
    caption: "Tokens",
    columns: [{ title: "model" }, ...fields.map(([title]) => ({ title, numeric: true }))],
    rows: models.map(([model, of]) => ({ cells: [{ t: model }, ...fields.map(([, key]) => ({ v: of[key], t: grouped.format(of[key]) }))] })),
  });
}
