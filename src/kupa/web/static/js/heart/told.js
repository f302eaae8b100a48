// What is told to people who listen: a polite live region, a sentence for each thing that happens.
import { cardName } from "../card.js";
import { t } from "../messages.js";
import { cardOf } from "./board.js";

/** @typedef {import("./board.js").HeartView} HeartView */
/** @typedef {{type: string, at?: number | "waste", a?: number | "waste", b?: number | "waste", second?: number | "waste"}} HeartEvent */

/** The name of the card at a place of the heart, or on top of the waste. @param {HeartView} view @param {number | "waste"} at */
function nameAt(view, at) {
  const rank = at === "waste" ? view.waste_top : view.heart[at - 1];
  return rank ? cardName(cardOf(rank)) : "";
}

/** What each event says, from the views before and after it. @type {Record<string, (event: any, before: HeartView, after: HeartView) => string>} */
const SENTENCES = {
  drawn: (_, __, after) => t("heart.told.drawn", { card: nameAt(after, "waste") }),
  redealt: (_, __, after) => t("heart.told.redealt", { n: after.stock }),
  selected: ({ at }, before) => t("heart.told.selected", { card: nameAt(before, at) }),
  deselected: ({ at }, before) => t("heart.told.deselected", { card: nameAt(before, at) }),
  mismatched: ({ second }, before, after) =>
    (after.notice ? `${t("heart.line.must_match")}. ` : "") +
    t("heart.told.selected", { card: nameAt(before, second) }),
  paired: ({ a }, before, after) => t("heart.told.paired", { card: nameAt(before, a), n: after.score - before.score }),
  undone: (_, __, after) => t("heart.told.undone", { n: after.score }),
};

/** The cards that a pair has freed. @param {HeartView} before @param {HeartView} after */
function freed(before, after) {
  const names = after.free.filter((at) => !before.free.includes(at)).map((at) => nameAt(after, at));
  return names.length ? ` ${t("heart.told.freed", { cards: names.join(", ") })}` : "";
}

/**
 * What there is to say about an event.
 * @param {HeartEvent} event @param {HeartView} before @param {HeartView} after
 */
export function sentence(event, before, after) {
  let said = SENTENCES[event.type]?.(event, before, after) ?? "";
  if (event.type === "paired") said += freed(before, after);
  if (after.status !== before.status && after.status !== "playing") {
    said += ` ${t(`heart.told.${after.status}`, { n: after.score })}`;
  }
  return said;
}

export class Told {
  #region;
  /** @type {string[]} */
  #waiting = [];
  #timer = 0;

  /** @param {HTMLElement} region */
  constructor(region) {
    this.#region = region;
  }

  /** Say a sentence, together with what else is said at the same moment. @param {string} said */
  say(said) {
    if (!said) return;
    this.#waiting.push(said);
    clearTimeout(this.#timer);
    // Emptied first, so that the same sentence is read again.
    this.#region.textContent = "";
    this.#timer = setTimeout(() => {
      this.#region.textContent = this.#waiting.slice(-3).join(" ");
      this.#waiting = [];
    }, 60);
  }
}
