// The heart and the piles on the page: brings the elements that the server wrote up to a view. What is free, framed
// or dimmed comes from the view; no rule of the game is known here.
import { cardName, showFace } from "../card.js";
import { t } from "../messages.js";

/**
 * What the player sees: kupa.heart_to_heart.view.View.
 * @typedef {object} HeartView
 * @property {string | null} code
 * @property {(string | null)[]} heart 25 ranks by position, null for a gap
 * @property {number[]} free
 * @property {number} stock how many cards
 * @property {number} waste how many cards
 * @property {string | null} waste_top
 * @property {number | "waste" | null} selected
 * @property {number[]} framed
 * @property {(number | "waste")[]} dimmed
 * @property {"must_match" | null} notice
 * @property {number} score
 * @property {number} moves
 * @property {number} undo how many moves can be taken back
 * @property {"playing" | "won" | "stuck"} status
 * @property {number} elapsed_ms
 * @property {boolean} move_errors
 * @property {boolean} placement_help
 */

/** @typedef {number | "stock" | "waste"} At where one may tap */

/** The card of a rank: there are only hearts. @param {string} rank */
export function cardOf(rank) {
  return `${rank}H`;
}

/**
 * The place that an element of the board stands for, or null.
 * @param {Element | null} element
 * @returns {At | null}
 */
export function placeOf(element) {
  const at = element?.closest("[data-at]")?.getAttribute("data-at");
  if (!at) return null;
  return at === "stock" || at === "waste" ? at : Number(at);
}

/** Set an attribute, or take it away. @param {Element} element @param {string} name @param {string | null} value */
function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Show another card if it is another. @param {HTMLElement} element @param {string} text "QH" or "back" */
function face(element, text) {
  if (element.dataset.card === text) return;
  element.dataset.card = text;
  showFace(element, text);
}

/** Where a card of the heart lies, in half card widths across and rows down. @param {HTMLElement} element */
function spot(element) {
  return { x: Number(element.style.getPropertyValue("--x")), y: Number(element.style.getPropertyValue("--y")) };
}

export class Board {
  /** @param {HTMLElement} root the table's element */
  constructor(root) {
    /** @type {Map<At, HTMLButtonElement>} */
    this.places = new Map();
    for (const element of /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("[data-at]"))) {
      this.places.set(/** @type {At} */ (placeOf(element)), element);
    }
    this.heart = [...this.places].filter(([at]) => typeof at === "number").map(([, element]) => element);
    this.stock = this.element("stock");
    this.waste = this.element("waste");
    this.turn = /** @type {HTMLElement} */ (root.querySelector(".turn"));
    this.stack = /** @type {HTMLElement} */ (root.querySelector(".stack"));
    /** The one card of the heart that Tab stops at. @type {HTMLButtonElement | null} */
    this.stop = null;
    root.addEventListener("focusin", ({ target }) => {
      const element = /** @type {HTMLButtonElement} */ (target);
      if (this.heart.includes(element)) this.stopAt(element);
    });
  }

  /** The element of a place. @param {At} at */
  element(at) {
    return /** @type {HTMLButtonElement} */ (this.places.get(at));
  }

  /** Everything on the board that can be gone to: the cards that are left, and the piles. */
  present() {
    return [...this.places.values()].filter((element) => !element.classList.contains("hole") && element.offsetParent);
  }

  /** Bring the board up to a view. @param {HeartView} view */
  show(view) {
    const focused = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    this.heart.forEach((element, index) => this.#showPlace(element, index + 1, view));
    this.#showStock(view);
    this.#showWaste(view);
    if (!this.stop || this.stop.classList.contains("hole")) {
      const next = this.stop ? this.#nearest(this.stop) : this.element(view.free.at(-1) ?? 25);
      this.stopAt(next);
      // A card that goes while it has the focus hands it on, so that a player with keys never loses the board.
      if (next && focused && this.heart.includes(focused) && focused.classList.contains("hole")) next.focus();
    }
  }

  /** Let Tab stop at a card of the heart. @param {HTMLButtonElement | null} element */
  stopAt(element) {
    if (this.stop) this.stop.tabIndex = -1;
    if (element) element.tabIndex = 0;
    this.stop = element;
  }

  /** @param {HTMLButtonElement} element @param {number} at @param {HeartView} view */
  #showPlace(element, at, view) {
    const rank = view.heart[at - 1];
    const gone = rank === null;
    const free = view.free.includes(at);
    const framed = view.framed.includes(at);
    const selected = view.selected === at;
    const { classList } = element;
    classList.toggle("hole", gone);
    classList.toggle("free", !gone && free);
    classList.toggle("under", !gone && !free);
    classList.toggle("sel-hh", selected);
    classList.toggle("framed", framed && !selected);
    classList.toggle("dim", view.dimmed.includes(at));
    set(element, "aria-hidden", gone ? "true" : null);
    set(element, "aria-pressed", free ? String(selected) : null);
    set(element, "aria-disabled", gone || free ? null : "true");
    face(element, gone ? "back" : cardOf(rank));
    if (gone) {
      set(element, "aria-label", null);
      return;
    }
    const state = framed ? "framed" : free ? "free" : "covered";
    const { row = "", place = "" } = element.dataset;
    set(element, "aria-label", t(`heart.place.${state}`, { card: cardName(cardOf(rank)), row, place }));
  }

  /** @param {HeartView} view */
  #showStock(view) {
    const empty = view.stock === 0;
    this.stock.classList.toggle("empty", empty);
    this.stack.dataset.count = String(Math.min(view.stock, 3));
    this.turn.hidden = !empty || view.waste === 0;
    const emptyKey = view.waste ? "heart.stock.redeal" : "heart.stock.empty";
    set(this.stock, "aria-label", empty ? t(emptyKey) : t("heart.stock.label", { n: view.stock }));
  }

  /** @param {HeartView} view */
  #showWaste(view) {
    const { waste } = this;
    const top = view.waste_top === null ? null : cardOf(view.waste_top);
    const selected = view.selected === "waste";
    waste.classList.toggle("empty", !top);
    waste.classList.toggle("sel-hh", selected);
    waste.classList.toggle("dim", view.dimmed.includes("waste"));
    set(waste, "aria-pressed", top ? String(selected) : null);
    face(waste, top ?? "back");
    const label = top ? t("heart.waste.label", { card: cardName(top), n: view.waste }) : t("heart.waste.empty");
    set(waste, "aria-label", label);
  }

  /** The card of the heart that lies nearest to a place, a free one if there is the choice. @param {HTMLElement} from */
  #nearest(from) {
    const here = spot(from);
    let best = null;
    let least = Infinity;
    for (const element of this.heart) {
      if (element.classList.contains("hole")) continue;
      const { x, y } = spot(element);
      const distance = Math.hypot((x - here.x) / 2, y - here.y) + (element.classList.contains("free") ? 0 : 20);
      if (distance < least) [best, least] = [element, distance];
    }
    return best;
  }
}
