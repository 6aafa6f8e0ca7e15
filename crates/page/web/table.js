// Tables: sorted by their headers, shown in portions, with a line below each figure for what it is of.

const PORTION = 100;

/**
 * `columns`: {title, numeric, hint}; `rows`: {cells: [{t, d, v, node}]}, a cell per column; `sort`: {column, descending} or null.
 * `onsort` is told of a new order.
 */
function dataTable({ caption, columns, rows, sort = null, onsort, className }) {
  let order = sort;
  let shown = PORTION;
  const body = el("tbody");
  const more = el("p", { class: "more" });
  const headers = columns.map((column, place) => {
    const title = button([column.title, el("span", { class: "arrow", "aria-hidden": "true" })], () => sortBy(place));
    return el("th", { scope: "col", class: column.numeric ? "number" : null, title: column.hint }, title);
  });

  function sortBy(place) {
    const again = order?.column === place;
    order = { column: place, descending: again ? !order.descending : Boolean(columns[place].numeric) };
    onsort?.(order);
    fill();
  }

  function fill() {
    headers.forEach((header, place) => {
      const direction = order?.column === place ? (order.descending ? "descending" : "ascending") : null;
      if (direction) header.setAttribute("aria-sort", direction);
      else header.removeAttribute("aria-sort");
    });
    const sorted = order ? [...rows].sort((a, b) => compareCells(a.cells[order.column], b.cells[order.column], order.descending)) : rows;
    body.replaceChildren(...sorted.slice(0, shown).map((row) => rowOf(row, columns)));
    const left = rows.length - shown;
    more.replaceChildren();
    if (left > 0) {
      more.append(`${grouped.format(shown)} of ${grouped.format(rows.length)} rows. `);
      more.append(button(`Show ${grouped.format(Math.min(PORTION, left))} more`, () => {
        const first = shown;
        shown += PORTION;
        fill();
        body.rows[first]?.querySelector("a, button")?.focus();
      }));
    }
  }

  fill();
  const whole = el("table", { class: className }, el("caption", null, el("span", null, caption)), el("thead", null, el("tr", null, headers)), body);
  whole.addEventListener("keydown", moveByRows);
  return el("div", { class: "table" }, scrolling(caption, whole), more);
}

/** What is missing comes last in either direction. */
function compareCells(a, b, descending) {
  const key = (cell) => (cell?.v !== undefined ? cell.v : cell?.t);
  const [left, right] = [key(a), key(b)];
  const missing = (one) => one === null || one === undefined || one === "" || one === NOTHING;
  if (missing(left) || missing(right)) return Number(missing(left)) - Number(missing(right));
  const numbers = typeof left === "number" && typeof right === "number";
  const difference = numbers ? left - right : String(left).localeCompare(String(right), "en", { numeric: true });
  return descending ? -difference : difference;
}

function rowOf(row, columns) {
  const cells = row.cells.map((cell, place) => {
    // Interval and what is missing below the spread: beside each other they would make the column twice as wide.
    const of = (cell.d ?? "").split(/ (?=\[|\(\d+ missing)/).filter(Boolean);
    const content = [cell.node ?? cell.t, of.map((line) => el("small", null, line))];
    const header = place === 0 && !columns[place].numeric;
    return el(header ? "th" : "td", { scope: header ? "row" : null, class: columns[place].numeric ? "number" : null }, content);
  });
  return el("tr", row.attributes, cells);
}

/** From a row's link, the arrows lead to those above and below. */
function moveByRows(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target.closest("tbody tr");
  if (!step || !row || event.target.tagName !== "A") return;
  const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
  const target = next?.querySelector("a");
  if (target) {
    event.preventDefault();
    target.focus();
  }
}

/** A table of results as it is. */
function resultTable(result, options = {}) {
  const columns = result.columns.map((column) => ({ title: column.title, numeric: column.unit !== "text", unit: column.unit }));
  const rows = result.rows.map((cells) => ({ cells: cells.map((cell, place) => withBar(cell, columns[place].unit)) }));
  const whole = dataTable({ caption: `${result.title} (${result.source})`, columns, rows, ...options });
  const notes = result.notes.length ? el("ul", { class: "notes" }, result.notes.map((note) => el("li", null, prose(note)))) : null;
  const save = result.csv ? downloads(result) : null;
  return el("div", null, whole, notes, save);
}

function downloads(result) {
  const { csv, ...rest } = result;
  return el("p", { class: "actions" },
    button("Download CSV", () => download(`${result.name}.csv`, "text/csv", csv)),
    button("Download JSON", () => download(`${result.name}.json`, "application/json", JSON.stringify(rest, null, 1))));
}

/** A share as a bar with its interval, beside the number. */
function withBar(cell, unit) {
  if (unit !== "share" || cell.v === undefined) return cell;
  return { ...cell, node: el("span", null, cell.t, bar(cell.v, cell.lo, cell.hi)) };
}

function bar(share, low, high) {
  const inner = el("span", { class: "fill" });
  const place = (element, name, part) => element.style.setProperty(name, `${(100 * Math.min(1, Math.max(0, part))).toFixed(2)}%`);
  place(inner, "width", share);
  const whole = el("span", { class: "bar", "aria-hidden": "true" }, inner);
  if (low !== undefined && high !== undefined) {
    const interval = el("span", { class: "interval" });
    place(interval, "left", low);
    place(interval, "width", high - low);
    whole.append(interval);
  }
  return whole;
}

/** A mark per checkpoint: its shape tells the outcome, its colour says it again. */
function strip(checkpoints) {
  const words = checkpoints.map((one) => `${one[AT.number]} ${outcome(one)}`).join(", ");
  const marks = checkpoints.map((one) => mark(outcome(one)));
  return el("span", { class: "strip", role: "img", "aria-label": words, title: words }, marks);
}

function mark(word) {
  return el("span", { class: `mark ${word.replace(" ", "-")}`, "aria-hidden": "true" });
}

function legend() {
  const entry = (word) => el("li", null, mark(word), el("span", null, el("b", null, word), ` ${MEANING[word]}`));
  return el("details", { class: "legend" }, el("summary", null, "What the marks mean"), el("ul", null, page.outcomes.map(entry)));
}
