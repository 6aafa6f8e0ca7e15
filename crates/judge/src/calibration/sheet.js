"use strict";
const form = document.querySelector("form");
const kept = "slopbench sheet " + form.dataset.sheet;
const items = [...form.querySelectorAll("fieldset")];
const parts = (item) => ({
  chosen: item.querySelector("input[type=radio]:checked"),
  note: item.querySelector("input[type=text]"),
});
const cell = (text) => '"' + text.replaceAll('"', '""') + '"';
function rows() {
  return items.map((item) => {
    const { chosen, note } = parts(item);
    return [item.dataset.item, chosen ? chosen.value : "", note.value];
  });
}
function tell() {
  const done = rows().filter((row) => row[1] !== "").length;
  document.querySelector("#state").textContent = done + " of " + items.length + " scored";
}
function keep() {
  try { localStorage.setItem(kept, JSON.stringify(rows())); } catch { /* Without storage, nothing is kept. */ }
  tell();
}
function restore() {
  let rows = [];
  try { rows = JSON.parse(localStorage.getItem(kept)) || []; } catch { /* Nothing was kept. */ }
  for (const [code, score, note] of rows) {
    const item = items.find((one) => one.dataset.item === code);
    if (!item) continue;
    parts(item).note.value = note;
    for (const radio of item.querySelectorAll("input[type=radio]")) radio.checked = radio.value === score;
  }
}
document.querySelector("#save").addEventListener("click", () => {
  const lines = [["item", "score", "note"], ...rows()].map((row) => row.map(cell).join(","));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
  link.download = "sheet.csv";
  link.click();
});
form.addEventListener("input", keep);
form.addEventListener("submit", (event) => event.preventDefault());
restore();
tell();
