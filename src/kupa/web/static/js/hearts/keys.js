// The keys that work wherever the keyboard is: L the last trick, S the score sheet, M the menu, Escape back.
import { isDialogOpen, toggleMenu, toggleScores } from "./dialogs.js";
import { focusHand } from "./hand.js";

/** @param {Element | null} element */
function isTyping(element) {
  return element instanceof HTMLElement && element.matches("input:not([type=hidden]), textarea, select");
}

/** @param {{lookBack: () => void, stopLookingBack: () => void}} table */
export function listenToKeys({ lookBack, stopLookingBack }) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(document.activeElement)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "s") toggleScores();
    else if (key === "m") toggleMenu();
    else if (isDialogOpen()) return;
    else if (key === "l") lookBack();
    else if (key === "Escape") stopLookingBack();
    else if ((key === "ArrowLeft" || key === "ArrowRight") && document.activeElement === document.body) focusHand();
    else return;
    if (key !== "Escape") event.preventDefault();
  });
}
