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
  const drawn = drawing(one);
  const said = el("span", { role: "status" });
  const png = () => pixels(one).then((blob) => download(`${one.name}.png`, "image/png", blob), (error) => {
    said.textContent = `This browser makes no PNG of it: ${error.message}`;
  });
  return el("figure", { id: `figure-${one.name}` },
    el("figcaption", null, one.title),
    el("div", { class: "scroll paper", role: "region", "aria-label": one.title, tabindex: "0" }, drawn),
    el("p", { class: "actions" },
      button("Download SVG", () => download(`${one.name}.svg`, "image/svg+xml", one.svg)),
      drawn instanceof SVGElement ? [button("Download PNG", png), said] : null,
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

/** As many pixels across and down as the drawing has units: 1,920 across for most figures, which fills a slide. */
const FINENESS = 3;

/** The figure as PNG, in the colours that this page has at the moment and in this machine's font. */
async function pixels(one) {
  const svg = drawing(one);
  const probe = el("span");
  document.body.append(probe);
  // An image sees nothing of the page, and a property's value may depend on the theme: the probe says what it comes to.
  for (const name of new Set(one.svg.match(/--plot-[a-z0-9]+/g))) {
    probe.style.color = `var(${name})`;
    svg.style.setProperty(name, getComputedStyle(probe).color);
  }
  probe.remove();
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { width, height } = svg.viewBox.baseVal;
    const canvas = el("canvas", { width: Math.round(width * FINENESS), height: Math.round(height * FINENESS) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("it is too large"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
