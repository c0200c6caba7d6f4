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
