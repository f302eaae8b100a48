// Settings: shows at once what a choice looks like, and keeps it. Without a script the form's button does.
import { drawings } from "./card.js";
import { t } from "./messages.js";

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

const saved = /** @type {HTMLElement} */ (form.querySelector(".saved"));

/** The choice that is being kept: the next one waits for it, so that the last one made is the one that stays. */
let keeping = Promise.resolve(true);

/** Send the form as its button would, and tell whether that went well. @param {FormData} data */
async function keep(data) {
  try {
    // The answer leads to another page, which is not wanted; its cookies are kept all the same.
    const body = new URLSearchParams(/** @type {any} */ (data));
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" });
    return answer.ok || answer.type === "opaqueredirect";
  } catch {
    return false; // not reached: the button is still there
  }
}

/** Show what the choices look like. @param {FormData} data */
function show(data) {
  for (const [name, plain] of Object.entries(UNMARKED)) {
    const value = String(data.get(name) ?? plain);
    if (value === plain) delete root.dataset[name];
    else root.dataset[name] = value;
  }
  redraw(data.get("index") === "turkish" ? SPRITES.turkish : SPRITES.international);
}

form.addEventListener("change", async () => {
  const data = new FormData(form);
  show(data);
  saved.textContent = "";
  keeping = keeping.then(() => keep(data));
  const isKept = await keeping;
  saved.textContent = t(isKept ? "settings.saved" : "settings.unsaved");
  if (isKept && data.get("language") !== root.lang) {
    // The sentences are the server's, so another language is another page; Back leads where it led.
    location.replace(`/settings?saved&from=${encodeURIComponent(String(data.get("from")))}`);
  }
});
