// A form is sent once: a second press while the answer is on its way makes no second match.

/** @type {WeakSet<HTMLFormElement>} */
let sent = new WeakSet();

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method === "dialog") return;
  if (sent.has(form)) event.preventDefault();
  else sent.add(form);
});

// Whoever comes back by the browser's button may send it again.
addEventListener("pageshow", () => {
  sent = new WeakSet();
});
