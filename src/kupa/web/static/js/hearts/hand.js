// One's own hand: its cards, which of them may be played, the keyboard's way among them.
// A card is one element for as long as it is held. The hand is laid out anew only between tricks, so that it
// never shifts under a finger; until then a card that has gone leaves a gap.
import { cardElement } from "../card.js";
import { find, setAttributes } from "./dom.js";
import { layOut } from "./hand_rows.js";
import { arrive, spotOf, time } from "./motion.js";

/** @import { View } from "./contract.js" */
/** @import { Spot } from "./motion.js" */

const hand = find(".hand");

/** The cards in the order shown. @type {HTMLElement[]} */
let cards = [...hand.querySelectorAll(".card")].filter((card) => card instanceof HTMLElement);
/** The card that the keyboard is at. @type {HTMLElement | undefined} */
let current = cards[0];
/** Cards chosen to be passed. @type {Set<HTMLElement>} */
let chosen = new Set();

/** @param {HTMLElement} card */
function textOf(card) {
  return card.dataset.card ?? "";
}

/** @param {string} text */
function newCard(text) {
  return cardElement(text, { tag: "button", attributes: { "data-card": text } });
}

/**
 * Give every card of a hand its element: the one it has, or a new one.
 * @param {string[]} texts
 * @returns {HTMLElement[]}
 */
function elementsFor(texts) {
  const free = [...cards];
  return texts.map((text) => {
    const index = free.findIndex((card) => textOf(card) === text);
    return index < 0 ? newCard(text) : free.splice(index, 1)[0];
  });
}

/** Lay the hand out. @param {HTMLElement[]} held */
function place(held) {
  const gone = cards.filter((card) => !held.includes(card));
  if (current && gone.includes(current)) moveOn(current, held);
  for (const card of gone) card.remove();
  held.forEach((card, k) => {
    if (hand.children[k] !== card) hand.insertBefore(card, hand.children[k] ?? null);
  });
  cards = held;
  const { half, isOne, places } = layOut(held.map(textOf));
  hand.classList.toggle("one", isOne);
  hand.style.setProperty("--n", String(held.length));
  hand.style.setProperty("--half", String(half));
  places.forEach((where, index) => {
    for (const [name, value] of Object.entries(where)) held[index].style.setProperty(`--${name}`, String(value));
  });
}

/** The keyboard goes from a card that leaves to the nearest that stays. @param {HTMLElement} card @param {HTMLElement[]} staying */
function moveOn(card, staying) {
  const from = cards.indexOf(card);
  const near = [...cards.slice(from), ...cards.slice(0, from).reverse()];
  const next = near.find((other) => other !== card && staying.includes(other) && !chosen.has(other)) ?? staying[0];
  const hadFocus = document.activeElement === card;
  current = next;
  if (hadFocus) next?.focus({ preventScroll: true });
}

/** @param {View} view @param {HTMLElement} card @param {boolean} isHeld */
function stateOf(view, card, isHeld) {
  if (!isHeld || chosen.has(card)) return "gone";
  if (!view.legal.length) return "";
  return view.legal.includes(textOf(card)) ? "ok" : "no";
}

/**
 * Show the hand of a view.
 * @param {View} view
 * @param {{layOutAnew?: boolean}} [options] whether gaps may close now
 */
export function showHand(view, { layOutAnew = true } = {}) {
  const held = elementsFor(view.hand);
  chosen = new Set([...chosen].filter((card) => held.includes(card) && view.phase === "pass"));
  if (view.phase === "pass" && view.my_pass) chosen = new Set(given(held, view.my_pass.cards));
  if (layOutAnew || held.some((card) => !cards.includes(card))) place(held);
  else if (current && !held.includes(current)) moveOn(current, held);
  if (!current || !cards.includes(current)) current = cards[0];
  for (const card of cards) {
    const state = stateOf(view, card, held.includes(card));
    const got = card.classList.contains("got") ? " got" : "";
    card.className = `card${state && ` ${state}`}${got}`;
    setAttributes(card, {
      tabindex: card === current ? "0" : "-1",
      "aria-disabled": state === "no" ? "true" : null,
      "aria-pressed": view.phase === "pass" ? String(chosen.has(card)) : null,
    });
  }
}

/** The elements of cards that have been given away. @param {HTMLElement[]} held @param {string[]} texts */
function given(held, texts) {
  /** @type {HTMLElement[]} */
  const found = [];
  for (const text of texts) {
    const card = held.find((one) => textOf(one) === text && !found.includes(one));
    if (card) found.push(card);
  }
  return found;
}

/** The cards that are chosen to be passed, in the order chosen. */
export function chosenCards() {
  return [...chosen];
}

/** Choose a card to be passed. @param {HTMLElement} card */
export function choose(card) {
  chosen.add(card);
  moveOn(card, cards.filter((other) => !chosen.has(other)));
}

/** Take a card that was chosen back. @param {HTMLElement} card */
export function takeBack(card) {
  chosen.delete(card);
  current = card;
}

/** Where a card is before it is played. @param {string} text @returns {Spot | null} */
export function spotInHand(text) {
  const card = cards.find((one) => textOf(one) === text && !one.classList.contains("gone"));
  return card ? spotOf(card) : null;
}

/** Shake a card that was refused. @param {string} text */
export function shake(text) {
  const card = cards.find((one) => textOf(one) === text && !one.classList.contains("gone"));
  if (!card) return;
  card.classList.remove("refused");
  void card.offsetWidth; // so that the motion begins again
  card.classList.add("refused");
  card.addEventListener("animationend", () => card.classList.remove("refused"), { once: true });
}

/** Deal the hand: its cards come one after the other from the middle of the table. @param {Spot} from */
export async function deal(from) {
  const step = time("--d-deal");
  await Promise.all(cards.map((card, k) => arrive(card, from, { delay: k * step, ease: "--e-out", fade: true })));
}

/**
 * Let cards that were received come in, and hold them up until `lower`.
 * @param {string[]} texts
 * @param {Spot} from
 */
export async function receive(texts, from) {
  const got = given(cards, texts);
  for (const card of got) card.classList.add("got");
  await Promise.all(got.map((card) => arrive(card, from, { fade: true })));
}

/** Put down the cards that were received. */
export function lower() {
  for (const card of cards) card.classList.remove("got");
}

/** Bring the keyboard to the hand. */
export function focusHand() {
  current?.focus({ preventScroll: true });
}

/** @param {HTMLElement} card */
function goTo(card) {
  if (current) current.tabIndex = -1;
  current = card;
  card.tabIndex = 0;
  card.focus({ preventScroll: true });
}

/** The card that a key leads to. @param {string} key @returns {HTMLElement | undefined} */
function neighbour(key) {
  const there = cards.filter((card) => !card.classList.contains("gone"));
  const index = current ? there.indexOf(current) : -1;
  switch (key) {
    case "ArrowLeft":
      return there[index - 1] ?? there[there.length - 1];
    case "ArrowRight":
      return there[index + 1] ?? there[0];
    case "Home":
      return there[0];
    case "End":
      return there[there.length - 1];
    case "ArrowUp":
    case "ArrowDown":
      return inOtherRow(there, key === "ArrowUp");
    default:
      return undefined;
  }
}

/** The card above or below. @param {HTMLElement[]} there @param {boolean} up */
function inOtherRow(there, up) {
  if (!current) return undefined;
  const here = spotOf(current);
  const others = there.filter((card) => (up ? -1 : 1) * (spotOf(card).y - here.y) > here.width / 2);
  return others.sort((a, b) => Math.abs(spotOf(a).x - here.x) - Math.abs(spotOf(b).x - here.x))[0];
}

/**
 * Listen to the hand.
 * @param {(card: HTMLElement, text: string) => void} onCard a card was clicked, or Enter or Space pressed on it
 */
export function listenToHand(onCard) {
  hand.addEventListener("click", ({ target, detail }) => {
    // The second click of a double click would meet the card that lay under the one that has just gone.
    if (detail > 1) return;
    const card = target instanceof Element ? target.closest(".card") : null;
    if (!(card instanceof HTMLElement)) return;
    if (current) current.tabIndex = -1;
    current = card;
    card.tabIndex = 0;
    onCard(card, textOf(card));
  });
  hand.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = neighbour(event.key);
    if (next) {
      event.preventDefault();
      goTo(next);
    }
  });
}
