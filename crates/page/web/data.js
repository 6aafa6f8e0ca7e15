// What the page knows, and how numbers are written.

let page = JSON.parse(document.getElementById("data").textContent);

/** Places of a checkpoint's numbers; measures follow. */
const AT = { number: 0, state: 1, outcome: 2, passed: 3, total: 4, withheld: 5, measures: 6 };

/** What each outcome means, for people. */
const MEANING = {
  strict: "all of its cases pass, earlier ones included",
  isolated: "all of its own cases pass",
  core: "its core cases pass",
  failed: "not even its core cases pass",
  "not reached": "an earlier session ended the trajectory: counts as not solved",
  pending: "still to be done",
  infrastructure: "its provider gave no answer: says nothing of the agent, and is to be done again",
};

function measure(key) {
  return page.measures.findIndex((one) => one.key === key);
}

function value(checkpoint, key) {
  return checkpoint[AT.measures + measure(key)] ?? null;
}

function outcome(checkpoint) {
  return page.outcomes[checkpoint[AT.outcome]];
}

function state(checkpoint) {
  return page.states[checkpoint[AT.state]];
}

function label(trajectory) {
  return page.configurations[trajectory.configuration].label;
}

function table(name) {
  return page.tables.find((one) => one.name === name);
}

const NOTHING = "–";
const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** A number in its unit, as all other forms of the tables write it. */
function number(value, unit) {
  if (value === null || value === undefined) return NOTHING;
  switch (unit) {
    case "share": return `${(100 * value).toFixed(1)}%`;
    case "dollars": return value.toFixed(2);
    case "minutes": return value.toFixed(1);
    case "count": return grouped.format(value);
    case "signed": return (value < 0 ? "" : "+") + value.toFixed(3);
    default: return value.toFixed(3);
  }
}

function mean(values) {
  const known = values.filter((one) => one !== null && one !== undefined);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}

function sum(values) {
  const known = values.filter((one) => one !== null && one !== undefined);
  return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
}

function plural(count, word) {
  return `${grouped.format(count)} ${word}${count === 1 ? "" : "s"}`;
}

const known = new Map();

/** What is known of a trajectory's checkpoints; null where the page does not have it. */
async function detailOf(place) {
  if (page.details) return page.details[place] ?? null;
  if (!page.live) return null;
  if (!known.has(place)) {
    const answer = await fetch(`/detail/${place}`);
    if (!answer.ok) throw new Error(`The server says: ${await answer.text()}`);
    known.set(place, await answer.json());
  }
  return known.get(place);
}
