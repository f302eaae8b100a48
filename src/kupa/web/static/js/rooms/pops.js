// What opens beside a button and goes away by itself (popovers): each is put beside the button that opened it.

/** The distance from the button, and from the window's edge, in pixels. */
const GAP = 8;

/** The button that was pressed last. @type {Element | null} */
let opener = null;

/** Put an open popover beside an element, inside the window. @param {HTMLElement} pop @param {Element} element */
export function putBeside(pop, element) {
  const at = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = pop;
  const left = Math.min(Math.max(GAP, at.left + at.width / 2 - width / 2), innerWidth - width - GAP);
  const below = at.bottom + GAP;
  const top = below + height + GAP <= innerHeight ? below : Math.max(GAP, Math.min(at.top - height - GAP, innerHeight - height - GAP));
  pop.style.setProperty("--left", `${Math.max(GAP, left)}px`);
  pop.style.setProperty("--top", `${top}px`);
  pop.style.setProperty("--shift", "0 0");
}

/** Listen to everything that opens and closes. */
export function listenToPops() {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("[popovertarget]");
    // One without a popover of its own may open one by its script, and put it beside itself.
    opener = button || null;
  }, true);
  document.addEventListener("toggle", (event) => {
    const pop = event.target;
    if (!(pop instanceof HTMLElement) || !pop.matches(".pop:popover-open")) return;
    // One that was opened out of another has its button under it no more.
    if (opener?.isConnected && opener.checkVisibility()) putBeside(pop, opener);
    pop.querySelector("button, a, summary")?.focus({ preventScroll: true });
  }, true);
}

/** Close whatever is open. */
export function closePops() {
  for (const pop of document.querySelectorAll(".pop:popover-open")) if (pop instanceof HTMLElement) pop.hidePopover();
}
