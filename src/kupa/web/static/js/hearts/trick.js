// The trick on the table: what has been played, whose place is next, and the way a finished trick goes.
// The same markup as templates/hearts/trick.html.
import { cardElement, cardName } from "../card.js";
import { t } from "../messages.js";
import { el, find, setAttributes, syncKeyed } from "./dom.js";
import { bottomOf, placeOf, standing, who } from "./facts.js";
import { arrive, depart, spotOf, time } from "./motion.js";
import { faceOf } from "./seats.js";

/** @import { Played, View } from "./contract.js" */
/** @import { Spot } from "./motion.js" */

const SIDES = ["s", "w", "n", "e"];
const area = find(".trick");
const laid = find(".laid", area);

/** The class of a place. @param {View} view @param {number} seat */
function at(view, seat) {
  const place = placeOf(view, seat);
  return view.rules.players === 4 ? SIDES[place] : `at-${place}`;
}

/**
 * @param {View} view
 * @param {Played} played
 * @param {ReturnType<typeof standing> & {winner: number | null}} how
 */
function playedCard(view, { seat, card }, { fallen, ahead, winner }) {
  const fell = fallen.has(card);
  const tag = fell ? "=" : seat === winner ? t("table.took") : seat === ahead ? t("table.ahead") : "";
  const remark = fell ? t("table.fell") : tag;
  const label = `${who(view, seat)}: ${cardName(card)}${remark && `, ${remark}`}`;
  const element = cardElement(card, {
    className: at(view, seat) + (fell ? " fell" : ""),
    attributes: { "data-card": card, "data-seat": String(seat), role: "img", "aria-label": label },
    named: false,
  });
  if (tag) element.append(el("span", { class: "tag" }, tag));
  return element;
}

/** The cards that wait for the next taker. @param {View} view @param {boolean} isShown */
function pile(view, isShown) {
  if (!view.pile_count || !isShown) return [];
  const heap = el("span", { class: "heap" });
  for (let k = 0; k < Math.min(3, view.pile_count); k += 1) heap.append(cardElement("back", { style: { "--k": k } }));
  const label = view.tricks.length ? "table.pile.waiting" : "table.pile.kitty";
  return [el("div", { class: "kitty" }, heap, el("span", {}, t(label, { n: view.pile_count })))];
}

/** What an element of the trick is, so that it stays the same one. @param {HTMLElement} element */
function keyOf(element) {
  const { card, seat } = element.dataset;
  return card ? `${card} ${seat}` : element.className.replace(" next", "");
}

/**
 * Show a trick.
 * @param {View} view
 * @param {{trick?: Played[], winner?: number | null, next?: number | null, isLookedBackAt?: boolean}} [options]
 *   trick: another one than the view's, with its winner; next: the seat whose place is outlined
 */
export function showTrick(view, { trick = view.trick, winner = null, next = null, isLookedBackAt = false } = {}) {
  const n = view.rules.players;
  const stands = standing(view, trick);
  const how = winner === null ? { ...stands, winner } : { ...stands, ahead: null, winner };
  const wanted = pile(view, !isLookedBackAt);
  for (let i = 0; i < n; i += 1) {
    const seat = (bottomOf(view) + i) % n;
    const played = trick.find((one) => one.seat === seat);
    if (played) wanted.push(playedCard(view, played, how));
    else if (seat === next || n !== 4) {
      wanted.push(el("span", { class: `slot ${at(view, seat)}${seat === next ? " next" : ""}` }));
    }
  }
  syncKeyed(laid, wanted, keyOf);
  const to = next === null ? "" : String(placeOf(view, next));
  for (const arrow of area.querySelectorAll("[data-to]")) {
    arrow.classList.toggle("on", arrow.getAttribute("data-to") === to);
    if (arrow.getAttribute("class") === "") arrow.removeAttribute("class");
  }
  setAttributes(area, { "aria-label": t(isLookedBackAt ? "table.last" : "table.trick") });
}

/** @param {number} seat @returns {HTMLElement | null} */
function cardOf(seat) {
  return laid.querySelector(`.card[data-seat="${seat}"]`);
}

/** Let the card that a seat has just played travel to its place. @param {number} seat @param {Spot | null} from */
export async function flyIn(seat, from) {
  const element = cardOf(seat);
  if (!element) return;
  element.style.zIndex = "30";
  await arrive(element, from ?? spotOf(faceOf(seat)), { fade: from === null });
  element.style.removeProperty("z-index");
  if (element.getAttribute("style") === "") element.removeAttribute("style");
}

/** Let the trick go to its taker; where nobody takes it, to the middle. @param {number | null} winner */
export async function gather(winner) {
  const cards = [...laid.querySelectorAll(".card[data-seat]")];
  const to = { ...spotOf(winner === null ? area : faceOf(winner)), width: 24 };
  await Promise.all(cards.map((card) => card instanceof HTMLElement && depart(card, to)));
  for (const card of cards) card.remove();
}

/** Let the kitty go to its taker. @param {number} taker */
export async function gatherPile(taker) {
  const heap = laid.querySelector(".kitty .heap");
  if (heap instanceof HTMLElement) await depart(heap, spotOf(faceOf(taker)), { duration: time("--d-gather") });
}
