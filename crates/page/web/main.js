// What shows the views of `VIEWS`, the theme, and what a server tells.

const main = document.getElementById("main");
let shown = null;

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  const view = VIEWS.find((one) => one.path === name) ?? VIEWS[0];
  return { view, rest, query: new URLSearchParams(query ?? "") };
}

function render() {
  const { view, rest, query } = route();
  let content;
  try {
    content = view.show(rest, query);
  } catch (error) {
    console.error(error);
    content = [heading("This view cannot be shown"), el("p", { role: "alert" }, String(error.message))];
  }
  main.replaceChildren(...content.flat(Infinity).filter(Boolean));
  const title = main.querySelector("h1")?.textContent ?? "";
  document.title = `${title} – slopbench`;
  navigation(view);
}

function navigation(view) {
  const here = view.under ?? view.path;
  const items = VIEWS.filter((one) => one.words && (one.path !== "figures" || page.figures.length > 0));
  document.getElementById("views").replaceChildren(el("ul", null, items.map((one) =>
    el("li", null, link(`#/${one.path}`, one.words, { "aria-current": one.path === here ? "page" : null })))));
}

/** After a link was followed, reading goes on at the heading; within one trajectory, at the checkpoint's. */
function follow() {
  const before = shown;
  const { view, rest } = route();
  shown = `${view.path}/${rest[0] ?? ""}`;
  render();
  const inner = before === shown && view.path === "trajectory" ? document.getElementById("checkpoint") : null;
  const target = inner ?? main.querySelector("h1");
  inner?.setAttribute("tabindex", "-1");
  target?.focus({ preventScroll: Boolean(inner) });
  if (inner) inner.scrollIntoView({ block: "nearest" });
  else window.scrollTo(0, 0);
}

const THEMES = ["as the system", "light", "dark"];

function theme() {
  const control = document.getElementById("theme");
  let chosen = remembered() ?? THEMES[0];
  const apply = () => {
    if (chosen === THEMES[0]) document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", chosen);
    control.textContent = `Theme: ${chosen}`;
  };
  control.addEventListener("click", () => {
    chosen = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length];
    remember(chosen);
    apply();
  });
  apply();
}

// A page from a file may have no storage.
function remembered() {
  try {
    return THEMES.find((one) => one === localStorage.getItem("slopbench-theme")) ?? null;
  } catch {
    return null;
  }
}

function remember(chosen) {
  try {
    localStorage.setItem("slopbench-theme", chosen);
  } catch {
    // Then it is forgotten.
  }
}

function frame() {
  const banner = document.getElementById("banner");
  banner.replaceChildren(page.synthetic ? el("p", { class: "banner" }, "Synthetic: these figures are made up, nothing was observed.") : "");
  document.getElementById("footer").replaceChildren(
    el("p", null, `Made by ${page.tool.name} ${page.tool.version} from `, page.runs.map((run) => run.name).join(", ") || "no run", "."),
    LEGEND ? el("p", null, LEGEND) : "");
}

/** A server tells when the run went on; then what the page knows is asked for again, and the view stays where it is. */
function listen() {
  const status = document.getElementById("live");
  const say = (text) => { status.textContent = text; };
  const progress = () => `${page.population.graded} of ${page.population.planned} checkpoints graded`;
  say(`Live: ${progress()}`);
  const events = new EventSource("/events");
  let version = null;
  events.addEventListener("version", async (event) => {
    const before = version;
    version = event.data;
    if (before === null || before === version) return;
    try {
      const answer = await fetch("/data.json");
      if (!answer.ok) throw new Error(await answer.text());
      page = await answer.json();
      known.clear();
      await again();
      say(`Live: ${progress()}`);
    } catch (error) {
      say(`The run cannot be read: ${error.message}`);
    }
  });
  events.addEventListener("error", () => say(`The server is gone; ${progress()} when it was last heard`));
  events.addEventListener("open", () => say(`Live: ${progress()}`));
}

async function again() {
  const [top, left, focused] = [window.scrollY, window.scrollX, document.activeElement];
  const name = focused?.textContent;
  const open = [...main.querySelectorAll("details[open] > summary")].map((one) => one.textContent);
  frame();
  render();
  await detailShown;
  main.querySelectorAll("details").forEach((details) => {
    if (open.includes(details.querySelector("summary").textContent)) details.open = true;
  });
  const same = [...main.querySelectorAll(focused?.tagName ?? "none")].find((one) => one.textContent === name);
  same?.focus({ preventScroll: true });
  window.scrollTo(left, top);
}

// The address belongs to the views.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

theme();
frame();
shown = `${route().view.path}/${route().rest[0] ?? ""}`;
render();
window.addEventListener("hashchange", follow);
if (page.live) listen();
