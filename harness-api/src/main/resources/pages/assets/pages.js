"use strict";

// Copies the text of the code beside a button; where a browser does not let us, it is selected to be copied by hand.
document.addEventListener("click", async event => {
  const button = event.target.closest("button[data-copy]");
  if (!button) {
    return;
  }
  const code = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    code.hidden = false;
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
});

// Drawings have the colours of the page, in light and in dark.
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Keeps data as a file of the reader.
function keep(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const csv = rows => new Blob([rows.map(row => row.map(cell => /[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell).join(",")).join("\n") + "\n"], {type: "text/csv"});

// Tables that are sorted by a click on the name of a column, and show the rows with all words of a filter. A page that
// renews itself brings a new table, to which both are applied again.
const sorted = new Map();

function number(text) {
  const found = /^[-−+\[]?[\d,.]+/.exec(text.trim());
  return found ? Number(found[0].replace("−", "-").replace(/[,[]/g, "")) : NaN;
}

function sortRows(table) {
  const {column, down} = sorted.get(table.id) ?? {column: 0, down: false};
  table.querySelectorAll("thead th").forEach((head, index) => {
    head.toggleAttribute("aria-sort", false);
    if (index === column) {
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    }
  });
  const key = row => row.children[column].textContent;
  const order = (one, other) => {
    const [a, b] = [number(key(one)), number(key(other))];
    return Number.isNaN(a) || Number.isNaN(b) ? key(one).localeCompare(key(other)) : a - b;
  };
  const rows = [...table.tBodies[0].rows].sort((one, other) => down ? order(other, one) : order(one, other));
  table.tBodies[0].append(...rows);
}

function filterRows(input) {
  const words = input.value.toLowerCase().split(/\s+/);
  const rows = [...document.getElementById(input.dataset.filter).tBodies[0].rows];
  rows.forEach(row => { row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word)); });
  input.parentElement.querySelector("output").textContent = input.value ? `${rows.filter(row => !row.hidden).length} of ${rows.length} rows` : "";
}

document.addEventListener("click", event => {
  const head = event.target.closest("table.sorted thead th");
  if (head && event.target.closest("button")) {
    const table = head.closest("table");
    sorted.set(table.id, {column: head.cellIndex, down: head.getAttribute("aria-sort") === "ascending"});
    sortRows(table);
  }
});
document.addEventListener("input", event => event.target.dataset.filter && filterRows(event.target));
document.addEventListener("htmx:afterSettle", () => {
  document.querySelectorAll("table.sorted").forEach(table => sorted.has(table.id) && sortRows(table));
  document.querySelectorAll("[data-filter]").forEach(input => input.value && filterRows(input));
});
