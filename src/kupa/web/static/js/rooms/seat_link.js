// The page with the link for a seat: copies it at a press, where the browser can.
import { t } from "../messages.js";

const link = /** @type {HTMLInputElement} */ (document.getElementById("link"));
const button = /** @type {HTMLButtonElement} */ (document.getElementById("copy-link"));
const told = /** @type {HTMLElement} */ (document.getElementById("told"));

button.hidden = !navigator.clipboard;
button.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(link.value);
    told.textContent = t("rejoin.copied");
    const words = button.querySelector("span");
    if (words) words.textContent = t("rejoin.copied");
  } catch {
    link.select(); // not allowed: it is ready to be copied by hand
  }
});
link.addEventListener("focus", () => link.select());
