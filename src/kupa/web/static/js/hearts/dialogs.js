// What opens over the table and goes away again: the score sheet (a page of its own on a phone) and the menu.
import { find, sync } from "./dom.js";
import { kitty, passed, sheet } from "./sheet.js";

/** @import { View } from "./contract.js" */

const scores = /** @type {HTMLDialogElement} */ (find("#scores"));
const menu = /** @type {HTMLDialogElement} */ (find("#menu"));
const side = find(".side .beside");

/** Show the score sheet beside the table and, where it is open, over it. @param {View} view */
export function showSheets(view) {
  sync(side, sheet(view), passed(view), kitty(view));
  sync(find(".sheets", scores), sheet(view, { isWhole: true }), passed(view), kitty(view));
}

/** Whether something lies over the table. */
export function isDialogOpen() {
  return scores.open || menu.open;
}

/** @param {HTMLDialogElement} dialog */
function toggle(dialog) {
  if (dialog.open) dialog.close();
  else if (!isDialogOpen()) dialog.showModal();
}

export function toggleScores() {
  toggle(scores);
  // The newest rounds are the ones that are looked for.
  for (const rounds of scores.querySelectorAll(".rounds")) rounds.scrollLeft = rounds.scrollWidth;
}

export function toggleMenu() {
  toggle(menu);
}

/** Listen to the buttons that open and close. */
export function listenToDialogs() {
  find("#open-scores").addEventListener("click", toggleScores);
  find("#open-menu").addEventListener("click", toggleMenu);
  for (const dialog of [scores, menu]) {
    dialog.addEventListener("click", ({ target }) => {
      const isOutside = target === dialog;
      if (isOutside || (target instanceof Element && target.closest("[data-close]"))) dialog.close();
    });
  }
}
