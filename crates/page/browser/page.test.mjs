// The page in headless Chromium: `cargo xtask browser`. Arguments: the pages as JSON {name: file}, and where screenshots go.
//
// Every view opens at two widths in both themes without a word on the console; filters, sorting and keys do what they say; axe
// finds nothing serious; nothing foreign runs. Each check that fails is told, and the exit code is 1.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const pages = JSON.parse(process.argv[2]);
const pictures = process.argv[3];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [1280, 390];
const THEMES = ["light", "dark"];
const ROUTES = ["#/", "#/trajectories", "#/trajectory/0", "#/compare", "#/tables/figure-3", "#/figures"];

let failures = 0;
let checks = 0;

function check(holds, what) {
  checks += 1;
  if (holds) return;
  failures += 1;
  console.log(`failed: ${what}`);
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** Opens a page; whatever it says on the console or throws is a failure, and so is any request but for the file itself. */
async function open(name, { width = 1280, theme = "light", route = "#/", refused = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, reducedMotion: "reduce", bypassCSP: false });
  const page = await context.newPage();
  const where = `${name} ${route} at ${width} px, ${theme}`;
  // Where something foreign is there on purpose, the browser says that it refuses it.
  const isMeant = (text) => refused && text.includes("violates the following Content Security Policy");
  page.on("console", (message) =>
    check(!["error", "warning"].includes(message.type()) || isMeant(message.text()), `${where}: the console says: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${where}: ${error}`));
  page.on("dialog", (dialog) => { check(false, `${where}: a dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => check(/^(file|data|blob):/.test(request.url()), `${where}: asks for ${request.url()}`));
  await page.goto(pathToFileURL(pages[name]).href + route);
  await page.waitForSelector("main h1");
  await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
  return page;
}

/** axe's serious and critical findings, all details opened. */
async function audit(page, where) {
  await page.evaluate(() => document.querySelectorAll("main details").forEach((one) => { one.open = true; }));
  await page.waitForTimeout(50);
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const result = await window.axe.run(document, { resultTypes: ["violations"] });
    return result.violations.filter((one) => ["serious", "critical"].includes(one.impact))
      .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
  });
  check(found.length === 0, `${where}: axe: ${found.join("; ")}`);
}

async function everyViewOpens(name, { audited }) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      const page = await open(name, { width, theme, refused: name === "drawn" });
      for (const route of ROUTES) {
        const where = `${name} ${route} at ${width} px, ${theme}`;
        await page.evaluate((next) => { location.hash = next; }, route);
        await page.waitForFunction(() => !document.querySelector("[aria-busy]"));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        check(wide <= 0, `${where}: ${wide} px wider than the window`);
        check((await page.locator("main h1").count()) === 1, `${where}: one heading`);
        if (audited) await audit(page, where);
      }
      await page.context().close();
    }
  }
}

const rows = (page) => page.locator("main .table").last().locator("tbody tr");

async function filtersAndSorts() {
  const page = await open("study", { route: "#/trajectories" });
  const all = await rows(page).count();
  check(all > 10, `the list has ${all} rows`);
  await page.getByLabel("Search").fill("synthetic_01");
  const found = await rows(page).count();
  check(found > 0 && found < all, `a search leaves ${found} of ${all} rows`);
  check(page.url().includes("q=synthetic_01"), "the search is in the address");
  await page.getByLabel("Search").fill("there is no such thing");
  check(await page.getByText("No trajectory is like that").isVisible(), "nothing found is said");
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await page.getByLabel("Outcome").selectOption("infrastructure");
  const failed = await rows(page).count();
  check(failed > 0 && failed < all, `the outcome leaves ${failed} of ${all} rows`);
  await page.getByLabel("Outcome").selectOption("");
  await page.getByRole("button", { name: "erosion" }).click();
  const figures = (await rows(page).locator("td:nth-child(8)").allTextContents()).map(Number).filter((one) => !Number.isNaN(one));
  check(figures.every((one, place) => place === 0 || figures[place - 1] >= one), `sorted by erosion, descending: ${figures}`);
  const header = page.getByRole("columnheader", { name: "erosion" });
  check((await header.getAttribute("aria-sort")) === "descending", "the header says how it is sorted");
  await page.getByRole("button", { name: "erosion" }).press("Enter");
  check((await header.getAttribute("aria-sort")) === "ascending", "the header is a button, and turns the order");
  const address = page.url();
  await page.reload();
  check(address === page.url() && (await header.getAttribute("aria-sort")) === "ascending", "the order is in the address");
  await page.context().close();
}

async function keysReachEverything() {
  const page = await open("study", { route: "#/trajectories" });
  await page.keyboard.press("Tab");
  check((await page.evaluate(() => document.activeElement.className)) === "skip", "the first key leads to the skip link");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  check(outline !== "none", "where the keys are is seen");
  await page.keyboard.press("Enter");
  check((await page.evaluate(() => document.activeElement.id)) === "main" && page.url().includes("#/trajectories"), "the skip link leads to the content of this view");
  const wanted = await page.evaluate(() => document.querySelectorAll("a, button, input, select, summary").length);
  const reached = new Set();
  for (let presses = 0; presses < wanted + 40; presses += 1) {
    await page.keyboard.press("Tab");
    const place = await page.evaluate(() => [...document.querySelectorAll("a, button, input, select, summary")].indexOf(document.activeElement));
    if (place >= 0) reached.add(place);
  }
  check(reached.size === wanted, `keys reach ${reached.size} of ${wanted}`);
  const first = rows(page).first().locator("a");
  await first.focus();
  await page.keyboard.press("ArrowDown");
  check(await rows(page).nth(1).locator("a").evaluate((one) => one === document.activeElement), "the arrows lead to the next row");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#checkpoint");
  check((await page.evaluate(() => document.activeElement.tagName)) === "H1", "a new view begins at its heading");
  await page.context().close();
}

/** Whether it is to be seen, or is in a moment: what is folded is made once its part is open. */
async function appears(locator) {
  return locator.first().waitFor({ timeout: 2000 }).then(() => true, () => false);
}

async function aTrajectoryIsWhole() {
  const page = await open("study", { route: "#/trajectory/0/2" });
  for (const title of ["Specification", "Cases", "Measurements", "Changes", "Source", "Steps", "Usage"]) {
    check(await page.getByRole("heading", { name: title }).first().isVisible(), `there is ${title}`);
  }
  await page.getByRole("heading", { name: "Changes" }).click();
  await page.locator("summary", { hasText: "main.py" }).first().click();
  check(await appears(page.locator(".line.added")), "a diff has lines that were added");
  await page.getByRole("heading", { name: "Source" }).click();
  await page.locator("summary", { hasText: "parts.py" }).last().click();
  check(await appears(page.locator(".line.cloned")), "clones are marked in the source");
  await page.locator("summary", { hasText: "main.py" }).last().click();
  check(await appears(page.locator(".line.flagged")), "flagged lines are marked in the source");
  await page.getByRole("heading", { name: "Steps" }).click();
  check(await appears(page.getByText("I read what is there first.")), "the agent's steps are there");
  await page.getByLabel("Show", { exact: true }).selectOption("all");
  check((await page.locator(".good").count()) > 0, "cases that pass are shown on demand");
  await page.getByRole("navigation", { name: "Checkpoints" }).getByRole("link").first().click();
  await page.waitForFunction(() => document.getElementById("checkpoint").textContent === "Checkpoint 1");
  check((await page.evaluate(() => document.activeElement.id)) === "checkpoint", "another checkpoint is read from its heading");
  await page.context().close();
}

async function aDifferenceCanBeAskedFor() {
  const page = await open("observed", { route: "#/trajectory/0/2" });
  const command = page.locator("pre", { hasText: /^slopbench test synthetic_0\d --checkpoint 2 --solution synthetic-run-01\/trees\/0123abcd$/ });
  check(await command.isVisible(), "where a case fails, it is said what shows the difference");
  await page.context().close();
}

async function themeAndDownloads() {
  const page = await open("study", { route: "#/tables/table-1" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: /Theme/ }).click();
  await page.getByRole("button", { name: /Theme/ }).click();
  check((await ground()) !== light, "the switch makes it dark");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download CSV" }).click()]);
  check(file.suggestedFilename() === "table-1.csv", `a table can be had as ${file.suggestedFilename()}`);
  check(readFileSync(await file.path(), "utf8").startsWith("configuration,"), "and is CSV");
  await page.getByLabel("Table", { exact: true }).selectOption("figure-3");
  await page.waitForFunction(() => location.hash === "#/tables/figure-3");
  await page.goto(`${page.url().split("#")[0]}#/compare`);
  await page.getByLabel("Measure", { exact: true }).selectOption("erosion");
  check((await page.getByText("Means of all checkpoints: erosion").count()) > 0, "any measure can be compared by problem");
  await page.context().close();
}

async function nothingForeignRuns() {
  const page = await open("hostile", { refused: true });
  check((await page.evaluate(() => window.foreign)) === undefined, "no foreign script ran");
  const text = await page.locator("main").textContent();
  check(text.includes("</script><script>window.foreign"), "a name is shown as it is");
  check((await page.locator("main img, main script, main b[onclick]").count()) === 0, "no foreign element");
  const refused = await page.evaluate(() => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective), { once: true });
    const script = document.createElement("script");
    script.textContent = "window.foreign = 1";
    document.body.append(script);
    setTimeout(() => resolve("nothing"), 500);
  }));
  check(refused.startsWith("script-src"), `another script is refused: ${refused}`);
  await page.context().close();
}

/** The study's page with other data: nothing at all, nothing done yet, one checkpoint of which nothing is known. */
function edges() {
  const text = readFileSync(pages.study, "utf8");
  const [before, data, after] = text.split(/(?<=<script type="application\/json" id="data">)(.*?)(?=<\/script>)/s);
  const derived = (name, change) => {
    const value = JSON.parse(data);
    change(value);
    pages[name] = `${pages.study}.${name}.html`;
    writeFileSync(pages[name], before + JSON.stringify(value).replaceAll("<", "\\u003c") + after);
  };
  const withoutRows = (tables) => tables.forEach((one) => { one.rows = []; });
  derived("empty", (value) => {
    Object.assign(value, { trajectories: [], configurations: [], problems: [], comparisons: [], details: [], runs: [] });
    withoutRows(value.tables);
  });
  const absent = { t: "–", d: "there is none" };
  derived("pending", (value) => {
    const pending = value.outcomes.indexOf("pending");
    const undone = (one) => one.map((number, place) => (place < 2 ? number : place === 2 ? pending : null));
    value.trajectories.forEach((one) => { one.checkpoints = one.checkpoints.map(undone); });
    value.tables.forEach((one) => { one.rows = one.rows.map((row) => row.map((cell) => (cell.v === undefined ? cell : absent))); });
    Object.assign(value, { comparisons: [], details: null });
  });
  const acts = "<script>window.foreign=1</script><rect width='9' height='9' onclick='window.foreign=1'/><foreignObject/>";
  derived("drawn", (value) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30" width="90" height="30"><text y="20">drawn</text>${acts}</svg>`;
    value.figures = [{ name: "figure-3", title: "A figure", svg, csv: "x,y" }, { name: "broken", title: "Another", svg: "<svg", csv: "" }];
  });
  derived("observed", (value) => {
    value.synthetic = false;
    value.details.forEach((one) => one.checkpoints.forEach((checkpoint) => { if (checkpoint.session) checkpoint.session.workspace = "0123abcd"; }));
  });
  derived("one", (value) => {
    value.trajectories = [{ ...value.trajectories[0], configuration: 0, checkpoints: value.trajectories[0].checkpoints.slice(0, 1) }];
    value.configurations = value.configurations.slice(0, 1);
    value.tables.forEach((one) => { one.rows = one.rows.slice(0, 1); });
    value.comparisons = [];
    value.details = [{ checkpoints: [{ checkpoint: 1, session: null, verdicts: null, code: null, steps: null }] }];
  });
}

async function figuresAreDrawn() {
  const page = await open("drawn", { route: "#/figures", refused: true });
  check(await page.getByText("drawn", { exact: true }).isVisible(), "a figure is drawn in place");
  check((await page.locator("figure script, figure foreignObject, figure [onclick]").count()) === 0, "nothing in it could act");
  check(await page.getByText("The figure cannot be read.").isVisible(), "a figure that is none is said to be none");
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download SVG" }).first().click()]);
  check(file.suggestedFilename() === "figure-3.svg", "a figure can be had as SVG");
  const [data] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download data (CSV)" }).first().click()]);
  check(data.suggestedFilename() === "figure-3.csv", "and as data");
  check((await page.getByRole("button", { name: "Download PNG" }).count()) === 1, "what cannot be drawn cannot be had as PNG");
  await page.context().close();
}

/** A figure as PNG: as large as it should be, on the theme's ground, and with something drawn on it. */
async function figuresAsPixels() {
  for (const [theme, isGround] of [["light", (red) => red > 240], ["dark", (red) => red < 60]]) {
    const page = await open("study", { route: "#/figures", theme });
    const drawn = page.locator("figure").filter({ has: page.locator("svg") }).first();
    const size = await drawn.locator("svg").first().evaluate((svg) => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]);
    const [file] = await Promise.all([page.waitForEvent("download"), drawn.getByRole("button", { name: "Download PNG" }).click()]);
    check(file.suggestedFilename().endsWith(".png"), `a figure can be had as ${file.suggestedFilename()}`);
    const base64 = readFileSync(await file.path()).toString("base64");
    const blank = await (await browser.newContext()).newPage();
    const [width, height, corner, colours] = await blank.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
      return [image.width, image.height, pixels[0] & 0xff, new Set(pixels).size];
    }, base64);
    check(width === Math.round(3 * size[0]) && height === Math.round(3 * size[1]), `${theme}: the PNG is ${width} by ${height} for ${size}`);
    check(isGround(corner), `${theme}: the PNG's ground is ${corner}`);
    check(colours > 50, `${theme}: the PNG has ${colours} colours`);
    await blank.context().close();
    await page.context().close();
  }
}

async function sizesAndTimes() {
  for (const [name, file] of Object.entries(pages)) {
    const page = await open(name, { route: "#/trajectories", refused: name === "drawn" });
    const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    const megabytes = readFileSync(file).length / 1e6;
    console.log(`${name}: ${megabytes.toFixed(2)} MB, first paint after ${painted?.toFixed(0)} ms`);
    if (name === "paper") check(megabytes < 3 && painted < 1000, "93 checkpoints: under 3 MB, first paint under a second");
    if (name === "many") check((await rows(page).count()) === 100, "10,000 trajectories are shown in portions");
    await page.context().close();
  }
}

async function screenshots() {
  mkdirSync(pictures, { recursive: true });
  const many = pages.pair ? "pair" : "study";
  for (const [name, route, width, theme, of] of [
    ["overview", "#/", 1280, "light", many], ["compare", "#/compare", 1280, "light", many], ["trajectory", "#/trajectory/0/2", 1280, "light"], ["trajectories", "#/trajectories", 1280, "dark"],
    ["overview-390", "#/", 390, "dark"], ["trajectory-390", "#/trajectory/0/2", 390, "light"],
  ]) {
    const page = await open(of ?? "study", { route, width, theme });
    if (name === "trajectory") {
      await page.getByRole("heading", { name: "Cases" }).click();
      await page.getByRole("heading", { name: "Measurements" }).click();
      await page.getByRole("heading", { name: "Source" }).click();
      await page.locator("summary", { hasText: "parts.py" }).last().click();
      await page.locator(".tabs").evaluate((tabs) => tabs.scrollIntoView());
    }
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: false });
    await page.context().close();
  }
}

edges();
try {
  await everyViewOpens("study", { audited: true });
  for (const name of Object.keys(pages).filter((one) => one !== "study" && one !== "many")) await everyViewOpens(name, { audited: name === "slump" });
  await filtersAndSorts();
  await keysReachEverything();
  await aTrajectoryIsWhole();
  await aDifferenceCanBeAskedFor();
  await themeAndDownloads();
  await nothingForeignRuns();
  await figuresAreDrawn();
  await figuresAsPixels();
  await sizesAndTimes();
  await screenshots();
} finally {
  await browser.close();
}
console.log(`${checks} checks, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
