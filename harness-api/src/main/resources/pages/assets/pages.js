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
