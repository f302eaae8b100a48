// Who sits at the table: points, what was taken in this round, whose turn it is. The server writes the seats.
import { markElement } from "../card.js";
import { t } from "../messages.js";
import { el, find, sync } from "./dom.js";
import { num, takenBy, totalsNow } from "./facts.js";

/** @import { View } from "./contract.js" */

/** What a bonus card is worth; the rules know no other. */
const BONUS = -10;

/**
 * How many bonus cards each trick of the round held, by the trick's index; of the tricks that were seen. The view
 * shows the last one alone, so after a reload an earlier one is unknown, and nothing is then said of it.
 * @type {Map<number, number>}
 */
const bonusCards = new Map();
let bonusRound = -1;

/** Note whether the trick that was taken last held bonus cards. @param {View} view */
function watchBonus({ round, rules, tricks, last_trick: last }) {
  if (round !== bonusRound) bonusCards.clear();
  bonusRound = round;
  if (!rules.bonus_card || !last || !tricks.length) return;
  bonusCards.set(tricks.length - 1, last.cards.filter(({ card }) => card === rules.bonus_card).length);
}

/** How many bonus cards a seat has been seen to take. @param {View} view @param {number} seat */
function bonusOf({ tricks }, seat) {
  let sum = 0;
  for (const [index, count] of bonusCards) {
    // A trick that nobody took goes to the next taker.
    const taken = tricks.slice(index).find(({ winner }) => winner !== null);
    if (taken?.winner === seat) sum += count;
  }
  return sum;
}

/** The chip of the bonus card, where it is known who took it. @param {View} view @param {number} seat @returns {HTMLElement[]} */
function bonusChip(view, seat) {
  const card = view.rules.bonus_card;
  const count = bonusOf(view, seat);
  if (!card || !count) return [];
  const mark = markElement("d"); // a bonus card is always a diamond
  return [el("span", { class: "taken bonus", title: t("table.this_round") }, mark, num(count * BONUS), el("span", { class: "vh" }, ` ${t(`card.${card}`)}`))];
}

/** The chips that tell what a seat has taken. @param {View} view @param {number} seat @returns {HTMLElement[]} */
function chips(view, seat) {
  const { hearts, queens } = takenBy(view, seat);
  const thisRound = () => el("span", { class: "vh" }, ` ${t("table.this_round")}`);
  const theQueen = () => el("span", { class: "vh" }, ` ${t("table.queen")}`);
  if (!hearts && !queens) return [el("span", { class: "taken none", title: t("table.this_round") }, markElement("h"), "0", thisRound())];
  if (view.rules.players !== 4) {
    const chip = el("span", { class: "taken", title: t("table.this_round") });
    if (hearts) chip.append(markElement("h"), String(hearts), thisRound());
    for (let k = 0; k < queens; k += 1) chip.append(markElement("s", "q"), theQueen());
    return [chip];
  }
  const both = [];
  if (hearts) both.push(el("span", { class: "taken", title: t("table.this_round") }, markElement("h"), String(hearts), thisRound()));
  if (queens) {
    const points = String(queens * view.rules.queen_points);
    both.push(el("span", { class: "taken", title: t("table.this_round") }, markElement("s", "q"), points, theQueen()));
  }
  return both;
}

/** The seat on the felt. @param {number} seat @returns {HTMLElement} */
export function seatElement(seat) {
  return find(`.felt .seat[data-seat="${seat}"]`);
}

/** The face of a seat: where cards come from and go to. @param {number} seat */
export function faceOf(seat) {
  return find(".face", seatElement(seat));
}

/** @param {View} view @param {number | null} turn the seat that is shown to be on turn */
export function showSeats(view, turn) {
  watchBonus(view);
  totalsNow(view).forEach((total, seat) => {
    const element = seatElement(seat);
    element.classList.toggle("turn", seat === turn);
    const face = find(".face", element);
    const flag = face.querySelector(".flag");
    if (seat !== turn) flag?.remove();
    else if (!flag) face.append(el("span", { class: "flag" }, t("table.flag")));
    const points = el("span", { title: t("table.total.now") }, el("b", {}, num(total)));
    points.append(el("span", { class: "u" }, ` ${t("table.points.word", { n: total })}`));
    sync(find(".pts", element), points, ...chips(view, seat), ...bonusChip(view, seat));
  });
}
