// Choosing the cards to pass: a tap moves a card into a slot, another takes it back, the button gives them away.
// The same markup as templates/hearts/passing.html. What has been chosen survives every update of the page.
import { avatarElement, cardElement, iconElement } from "../card.js";
import { t } from "../messages.js";
import { el, find, sync } from "./dom.js";
import { headOf, receiverOf, who, whoAll } from "./facts.js";
import { choose, chosenCards, showHand, takeBack } from "./hand.js";
import { arrive, depart, spotOf, time } from "./motion.js";

/** @import { View } from "./contract.js" */

const SVG = "http://www.w3.org/2000/svg";
const stage = find("#pass-stage");

/** @type {View} */
let shown;
/** Whether the cards are on their way to the server. */
let isGiven = false;

function arrow() {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = {
    class: "arrow",
    viewBox: "0 0 54 30",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "4",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", "M50 15H6M18 4 6 15l12 11");
  svg.append(path);
  return svg;
}

/** To whom the cards go. @param {View} view */
function receiver(view) {
  const seat = receiverOf(view);
  const face = el("div", { class: "face" }, avatarElement(headOf(seat)));
  const where = el("div", { class: "pts" }, t(`table.pass.to.${view.direction}`));
  const text = el("div", {}, el("div", { class: "who" }, who(view, seat)), where);
  return el("div", { class: `to ${view.direction}` }, arrow(), el("div", { class: "seat" }, face, text));
}

/** @param {View} view @param {string[]} texts */
function slots(view, texts) {
  const count = view.rules.pass_count;
  const places = Array.from({ length: count }, (_, k) => {
    const text = texts[k];
    if (text === undefined) return el("span", { class: "slot", "aria-hidden": "true" }, String(k + 1));
    const attributes = { "data-card": text };
    return cardElement(text, view.my_pass ? { attributes } : { tag: "button", attributes });
  });
  return el("div", { class: "slots", role: "group", "aria-label": t("table.pass.slots") }, ...places);
}

/** What stands under the slots. @param {View} view @param {number} chosen how many cards */
function below(view, chosen) {
  const of = view.rules.pass_count;
  if (view.my_pass) {
    const waiting = view.passed.flatMap((done, seat) => (done ? [] : [seat]));
    const dots = el("span", { class: "dots" }, el("i"), el("i"), el("i"));
    const names = whoAll(view, waiting);
    return [el("p", { class: "count" }, ...(waiting.length ? [t("table.pass.waiting", { names }), dots] : []))];
  }
  const count = el("p", { class: "count" }, t("table.pass.count", { n: chosen, of }));
  if (chosen < of) {
    const missing = t(`table.pass.more.${of - chosen}`);
    return [count, el("button", { class: "btn big", type: "button", "aria-disabled": "true" }, missing)];
  }
  const give = el("button", { class: "btn primary big", type: "button" }, iconElement("check"), t(`table.pass.give.${of}`));
  if (isGiven) give.setAttribute("aria-disabled", "true");
  return [count, give];
}

/** Show whom the cards go to, and which are chosen. @param {View} view */
export function showPassing(view) {
  if (view.my_pass) isGiven = false;
  shown = view;
  const texts = view.my_pass?.cards ?? chosenCards().map((card) => card.dataset.card ?? "");
  const title = view.my_pass ? t("table.pass.done") : t(`table.pass.choose.${view.rules.pass_count}`);
  sync(stage, el("h2", {}, title), receiver(view), slots(view, texts), ...below(view, texts.length));
}

/** The slot that holds a card, by its place. @param {number} index */
function slot(index) {
  const found = stage.querySelector(".slots")?.children[index];
  return found instanceof HTMLElement ? found : null;
}

/**
 * A card of the hand was tapped: it moves into the next slot.
 * @param {HTMLElement} card
 * @param {string} text
 * @param {(key: string, text?: string) => void} tell
 */
export function pick(card, text, tell) {
  const chosen = chosenCards();
  if (isGiven || shown.my_pass || chosen.includes(card)) return;
  if (chosen.length >= shown.rules.pass_count) {
    tell("table.pass.full");
    return;
  }
  const from = spotOf(card);
  choose(card);
  showHand(shown, { layOutAnew: false });
  showPassing(shown);
  const target = slot(chosen.length);
  if (target) void arrive(target, from, { duration: time("--d-move") });
  tell("table.say.picked", text);
}

/** A card in a slot was tapped: it goes back to its gap. @param {number} index @param {(key: string, text?: string) => void} tell */
function putBack(index, tell) {
  const card = chosenCards()[index];
  const from = slot(index);
  if (!card || !from || isGiven) return;
  const spot = spotOf(from);
  takeBack(card);
  showHand(shown, { layOutAnew: false });
  showPassing(shown);
  card.focus({ preventScroll: true });
  void arrive(card, spot);
  tell("table.say.put_back", card.dataset.card);
}

/** The cards could not be given away after all. */
export function giveAgain() {
  isGiven = false;
  if (shown) showPassing(shown);
}

/** Let the cards that were given leave, in the direction in which they go. @param {View} view */
export async function sendOff(view) {
  const cards = [...stage.querySelectorAll(".slots .card")];
  const box = stage.getBoundingClientRect();
  const x = { left: box.left, right: box.right, across: box.left + box.width / 2, hold: 0 }[view.direction];
  const to = { x, y: view.direction === "across" ? box.top : box.top + box.height / 3, width: 30 };
  await Promise.all(cards.map((card) => card instanceof HTMLElement && depart(card, to)));
}

/**
 * Listen to the slots and the button.
 * @param {{give: (cards: string[]) => void, tell: (key: string, text?: string) => void}} to
 */
export function listenToPassing({ give, tell }) {
  stage.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || shown.my_pass) return;
    if (button.matches(".slots .card")) {
      putBack([...(button.parentElement?.children ?? [])].indexOf(button), tell);
    } else if (button.getAttribute("aria-disabled") !== "true") {
      isGiven = true;
      give(chosenCards().map((card) => card.dataset.card ?? ""));
      showPassing(shown);
    }
  });
}
