// The menu: the two settings of this game, another deal by its code, help.
import { t } from "../messages.js";

/** @typedef {import("./board.js").HeartView} HeartView */

/** @param {string} id */
function byId(id) {
  return /** @type {any} */ (document.getElementById(id));
}

export class Menu {
  #dialog = /** @type {HTMLDialogElement} */ (byId("menu"));
  #form = /** @type {HTMLFormElement} */ (byId("enter-code"));
  #code = /** @type {HTMLInputElement} */ (byId("code"));
  #fault = /** @type {HTMLElement} */ (byId("fault-code"));
  /** @type {HTMLInputElement[]} */
  #switches = Array.from(this.#dialog.querySelectorAll("input[type=checkbox]"));

  /** @param {(settings: Record<string, boolean>) => void} change asks for other settings */
  constructor(change) {
    for (const input of this.#switches) {
      input.addEventListener("change", () => change({ [input.name]: input.checked }));
    }
    this.#dialog.addEventListener("click", (event) => this.#clicked(event));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#enter();
    });
  }

  open() {
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** Show the settings as they are, and take them along to the next deal. @param {HeartView} view */
  show(view) {
    /** @type {Record<string, boolean>} */
    const settings = { move_errors: view.move_errors, placement_help: view.placement_help };
    for (const input of this.#switches) input.checked = settings[input.name];
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-kept]"))) {
      input.value = String(settings[input.name]);
    }
  }

  /** A tap beside the panel closes it. @param {MouseEvent} event */
  #clicked({ target, clientX, clientY }) {
    const { left, right, top, bottom } = this.#dialog.getBoundingClientRect();
    const outside = clientX < left || clientX > right || clientY < top || clientY > bottom;
    const isButton = /** @type {Element} */ (target).closest("[data-do=close]");
    if (isButton || (target === this.#dialog && outside)) this.#dialog.close();
  }

  /** Ask for the deal of the code; what was typed stays when there is none. */
  async #enter() {
    const kept = Object.fromEntries(this.#switches.map(({ name, checked }) => [name, checked]));
    const body = JSON.stringify({ game: "heart-to-heart", code: this.#code.value, ...kept });
    const headers = { "content-type": "application/json" };
    try {
      const answer = await fetch("/api/matches", { method: "POST", headers, body });
      const said = await answer.json();
      if (answer.ok) location.assign(said.url);
      else this.#refuse(said.error.message);
    } catch {
      this.#refuse(t("heart.enter.failed"));
    }
  }

  /** @param {string} sentence */
  #refuse(sentence) {
    this.#code.setAttribute("aria-invalid", "true");
    this.#code.setAttribute("aria-describedby", "fault-code code-hint");
    this.#fault.hidden = false;
    /** @type {HTMLElement} */ (this.#fault.querySelector("span")).textContent = sentence;
    this.#code.focus();
  }
}
