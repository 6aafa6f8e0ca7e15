// Tables and figures.

function tablesView([name]) {
  const chosen = page.tables.find((one) => one.name === name) ?? page.tables[0];
  const options = page.tables.map((one) => [one.name, `${one.title} (${one.name})`]);
  return [
    heading("Tables"),
    el("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      field("Table", choice(options, chosen.name, (next) => { location.hash = `#/tables/${next}`; }))),
    chosen.rows.length === 0 ? absent("It has no row for these runs.") : null,
    resultTable(chosen),
  ];
}

function figures() {
  if (page.figures.length === 0) return [heading("Figures"), absent("There are no figures of these runs.")];
  return [heading("Figures"), page.figures.map(figure)];
}

function figure(one) {
  return el("figure", { id: `figure-${one.name}` },
    el("figcaption", null, one.title),
    el("div", { class: "scroll paper", role: "region", "aria-label": one.title, tabindex: "0" }, drawing(one)),
    el("p", { class: "actions" },
      button("Download SVG", () => download(`${one.name}.svg`, "image/svg+xml", one.svg)),
      button("Download data (CSV)", () => download(`${one.name}.csv`, "text/csv", one.csv))));
}

/** The figure in place, for its hover texts. It was drawn by slopbench; what could act in it is taken out all the same. */
function drawing(one) {
  const parsed = new DOMParser().parseFromString(one.svg, "image/svg+xml");
  const svg = parsed.documentElement;
  if (svg.localName !== "svg" || parsed.querySelector("parsererror")) return absent("The figure cannot be read.");
  svg.querySelectorAll("script, foreignObject, iframe, use[href^='http'], image").forEach((element) => element.remove());
  for (const element of [svg, ...svg.querySelectorAll("*")]) {
    [...element.attributes].filter((attribute) => /^on/i.test(attribute.name)).forEach((attribute) => element.removeAttribute(attribute.name));
  }
  svg.setAttribute("role", "img");
  if (!svg.hasAttribute("aria-labelledby")) svg.setAttribute("aria-label", one.title);
  return document.importNode(svg, true);
}
