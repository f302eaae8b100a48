// Going to another page, once: whatever tells of it again while the browser is on its way would begin the way anew.

/** How long a way may take before it may be begun anew (somebody has stopped it), in ms. */
const PATIENCE = 10_000;

let isGoing = false;

/**
 * Go to another page.
 * @param {string} path
 * @param {{isReplaced?: boolean}} [options] whether the way back leads past this page
 */
export function goTo(path, { isReplaced = false } = {}) {
  if (isGoing) return;
  isGoing = true;
  setTimeout(() => (isGoing = false), PATIENCE);
  if (isReplaced) location.replace(path);
  else location.assign(path);
}
