// Who sits at the table: points, what was taken in this round, whose turn it is. The server writes the seats.
import { markElement } from "../card.js";
import { t } from "../messages.js";
import { el, find, sync } from "./dom.js";
import { num, takenBy } from "./facts.js";

/** @import { View } from "./contract.js" */

/** The chips that tell what a seat has taken. @param {View} view @param {number} seat @returns {HTMLElement[]} */
function chips(view, seat) {
  const { hearts, queens } = takenBy(view, seat);
  const thisRound = () => el("span", { class: "vh" }, ` ${t("table.this_round")}`);
  const theQueen = () => el("span", { class: "vh" }, ` ${t("table.queen")}`);
  if (!hearts && !queens) return [el("span", { class: "taken none" }, markElement("h"), "0", thisRound())];
  if (view.rules.players !== 4) {
    const chip = el("span", { class: "taken" });
    if (hearts) chip.append(markElement("h"), String(hearts), thisRound());
    for (let k = 0; k < queens; k += 1) chip.append(markElement("s", "q"), theQueen());
    return [chip];
  }
  const both = [];
  if (hearts) both.push(el("span", { class: "taken" }, markElement("h"), String(hearts), thisRound()));
  if (queens) {
    const points = String(queens * view.rules.queen_points);
    both.push(el("span", { class: "taken" }, markElement("s", "q"), points, theQueen()));
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
  view.totals.forEach((total, seat) => {
    const element = seatElement(seat);
    element.classList.toggle("turn", seat === turn);
    const face = find(".face", element);
    const flag = face.querySelector(".flag");
    if (seat !== turn) flag?.remove();
    else if (!flag) face.append(el("span", { class: "flag" }, t("table.flag")));
    const points = el("span", {}, el("b", {}, num(total)));
    points.append(el("span", { class: "u" }, ` ${t("table.points.word", { n: total })}`));
    sync(find(".pts", element), points, ...chips(view, seat));
  });
}
