// Settings: shows at once what a choice looks like. Saving is the form's business; it works without this.
import { drawings } from "./card.js";

const root = document.documentElement;
const form = /** @type {HTMLFormElement} */ (document.querySelector("form.settings"));

/** What a setting's attribute is absent for: the look that holds at first. */
const UNMARKED = { theme: "system", contrast: "normal", deck: "two", hand: "right" };
const SPRITES = { international: drawings("cards.svg"), turkish: drawings("cards-tr.svg") };

/** Let every drawing of the deck come from the file with these index letters. @param {string} file */
function redraw(file) {
  for (const use of document.querySelectorAll("use")) {
    const [address, name] = (use.getAttribute("href") ?? "").split("#");
    if (Object.values(SPRITES).includes(address)) use.setAttribute("href", `${file}#${name}`);
  }
}

form.addEventListener("change", () => {
  const data = new FormData(form);
  for (const [name, plain] of Object.entries(UNMARKED)) {
    const value = String(data.get(name) ?? plain);
    if (value === plain) delete root.dataset[name];
    else root.dataset[name] = value;
  }
  redraw(data.get("index") === "turkish" ? SPRITES.turkish : SPRITES.international);
});
