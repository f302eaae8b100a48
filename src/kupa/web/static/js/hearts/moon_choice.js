// The choice of the one who shot the moon: two ways to write the round, each with the totals it leads to.
// Nothing is chosen at first; a second press writes it.
import { avatarElement, cardElement, cardName, iconElement } from "../card.js";
import { t } from "../messages.js";
import { el, find, sync } from "./dom.js";
import { headOf, lowestSeats, num, who, whoAll } from "./facts.js";

/** @import { View } from "./contract.js" */
/** @typedef {"subtract" | "add"} Choice */

/** @type {Choice[]} */
const CHOICES = ["subtract", "add"];
const stage = find("#moon-stage");

/** @type {View} */
let shown;
/** @type {Choice | null} */
let chosen = null;
/** Whether the choice is on its way to the server. */
let isGiven = false;

/** The totals that a choice leads to, bonus cards apart. @param {View} view @param {Choice} choice */
function totalsAfter({ totals, seat, rules }, choice) {
  return totals.map((total, other) => {
    if (choice === "subtract") return other === seat ? total - rules.moon_points : total;
    return other === seat ? total : total + rules.moon_points;
  });
}

/**
 * What a choice leads to, in a sentence; as much of it as is certain. (A bonus card, or the extra round after a
 * perfect one, the server alone can tell.)
 * @param {View} view
 * @param {number[]} totals
 * @returns {{icon: string, text: string}}
 */
function outcome(view, totals) {
  const { rules, seat } = view;
  const lowest = lowestSeats(totals);
  const isReached = totals.some((total) => total >= rules.target);
  if (rules.bonus_card) return { icon: "right", text: t("table.moon.bonus", { card: cardName(rules.bonus_card) }) };
  if (!isReached) {
    const n = num(Math.min(...totals));
    const isMine = lowest.length === 1 && lowest[0] === seat;
    const text = isMine ? t("table.moon.goes_on.me", { n }) : t("table.moon.goes_on", { names: whoAll(view, lowest), n });
    return { icon: "right", text };
  }
  if (rules.perfect_round) return { icon: "right", text: t("table.moon.reached") };
  if (lowest.length > 1 && rules.tie === "play_on") return { icon: "again", text: t("table.moon.tied") };
  if (lowest.length === 1 && lowest[0] === seat) return { icon: "check", text: t("table.moon.ends.me") };
  return { icon: "check", text: t("table.moon.ends", { names: whoAll(view, lowest) }) };
}

/** @param {View} view @param {Choice} choice */
function choiceElement(view, choice) {
  const after = totalsAfter(view, choice);
  const cells = view.totals.map((total, seat) =>
    el(
      "span",
      { class: total === after[seat] ? "cell same" : "cell" },
      avatarElement(headOf(seat)),
      el("span", { class: "nm" }, who(view, seat)),
      el("span", { class: "was" }, num(total)),
      el("b", {}, num(after[seat])),
    ),
  );
  const { icon, text } = outcome(view, after);
  const isChosen = choice === chosen;
  const canFocus = isChosen || (chosen === null && choice === CHOICES[0]);
  return el(
    "button",
    {
      class: "choice",
      type: "button",
      role: "radio",
      "aria-checked": String(isChosen),
      tabindex: canFocus ? "0" : "-1",
      "data-choice": choice,
    },
    el("span", { class: "top" }, el("span", { class: "dot" }, iconElement("check")), t(`table.moon.${choice}`, { n: view.rules.moon_points })),
    el("span", { class: "cells" }, ...cells),
    el("span", { class: "says" }, iconElement(icon), text),
  );
}

/** The penalty cards as a crescent. @param {View} view */
function crescent(view) {
  const hearts = [..."23456789TJQKA"].map((rank) => `${rank}H`);
  const cards = view.rules.decks === 1 ? [...hearts, "QS"] : [...hearts.slice(-12), "QS", "QS"];
  const elements = cards.map((text, k) => cardElement(text, { style: { "--k": k }, named: false }));
  return el("div", { class: "crescent", "aria-hidden": "true" }, ...elements);
}

function write() {
  const view = shown;
  const go = chosen
    ? el("button", { class: "btn primary big write", type: "button", "aria-disabled": isGiven ? "true" : null }, iconElement("check"), t("table.moon.write"))
    : el("button", { class: "btn big write", type: "button", "aria-disabled": "true" }, t("table.moon.pick"));
  const choices = CHOICES.map((choice) => choiceElement(view, choice));
  sync(
    stage,
    crescent(view),
    el("h2", { tabindex: "-1" }, t("table.moon.you")),
    el("p", {}, t(view.rules.decks === 1 ? "table.moon.ask" : "table.moon.ask.two")),
    el("div", { class: "choices", role: "radiogroup", "aria-label": t("table.moon.how") }, ...choices),
    go,
  );
}

/** Show the choice. @param {View} view */
export function showMoonChoice(view) {
  if (shown?.round !== view.round || shown?.phase !== view.phase) [chosen, isGiven] = [null, false];
  shown = view;
  write();
}

/** The choice could not be written after all. */
export function chooseAgain() {
  isGiven = false;
  if (shown) write();
}

/** @param {Choice} choice */
function select(choice) {
  if (isGiven) return;
  chosen = choice;
  write();
  find(`[data-choice="${choice}"]`, stage).focus({ preventScroll: true });
}

/** Listen to the choice. @param {(choice: Choice) => void} give */
export function listenToMoonChoice(give) {
  stage.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    const choice = CHOICES.find((one) => one === button?.getAttribute("data-choice"));
    if (choice) select(choice);
    else if (button && chosen && !isGiven) {
      isGiven = true;
      give(chosen);
      write();
    }
  });
  stage.addEventListener("keydown", (event) => {
    if (!(event.target instanceof Element) || !event.target.matches("[role=radio]")) return;
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    select(event.target.getAttribute("data-choice") === "add" ? "subtract" : "add");
  });
}
