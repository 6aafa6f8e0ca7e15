// Elements. Foreign text comes in as text nodes and nowhere else: there is no way here to give markup.

/** An element with attributes, properties (`onclick`, …) and children; what is null is left out. */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function heading(text) {
  return el("h1", { tabindex: "-1" }, text);
}

function absent(text) {
  return el("p", { class: "absent" }, text);
}

/** Words with `code` in them. */
function prose(text) {
  return text.split("`").map((part, place) => (place % 2 === 1 ? el("code", null, part) : part));
}

function button(text, onclick, attributes) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

function link(href, text, attributes) {
  return el("a", { href, ...attributes }, text);
}

/** Pairs of a term and what it is. */
function facts(pairs) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return el("dl", { class: "facts" }, shown.map(([term, value]) => el("div", null, el("dt", null, term), el("dd", null, value))));
}

/** What is wider than the window scrolls by itself, by keyboard too. */
function scrolling(label, ...children) {
  return el("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, children);
}

/** Something that is made when it is first opened. */
function disclosure(summary, make, attributes) {
  let made = false;
  const details = el("details", attributes, el("summary", null, summary));
  const fill = () => {
    if (made || !details.open) return;
    made = true;
    details.append(make());
  };
  details.addEventListener("toggle", fill);
  fill();
  return details;
}

/** Gives a file to whoever asked for it. */
function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = el("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

let fresh = 0;

/** A label and its field, joined. */
function field(label, control) {
  fresh += 1;
  control.id ||= `field-${fresh}`;
  return el("p", { class: "field" }, el("label", { for: control.id }, label), control);
}

/** A choice; `options` are pairs of a value and its words. */
function choice(options, chosen, onchange) {
  const select = el("select", { onchange: () => onchange(select.value) });
  for (const [value, words] of options) {
    select.append(el("option", { value, selected: String(value) === String(chosen) }, words));
  }
  return select;
}
