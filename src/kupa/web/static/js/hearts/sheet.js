// What stands beside the table: the score sheet, the cards that changed hands, the cards of the kitty.
// The same markup as templates/hearts/sheet.html.
import { avatarElement, cardElement, iconElement } from "../card.js";
import { t } from "../messages.js";
import { el } from "./dom.js";
import {
  book,
  directionOf,
  firstRound,
  gain,
  headOf,
  isRunning,
  moonOf,
  num,
  seatsByTotal,
  totalsNow,
  who,
} from "./facts.js";

/** @import { View } from "./contract.js" */

const COLUMNS = 3;

/** @param {View} view @param {number} index of a round on the sheet */
function roundHead(view, index) {
  const round = firstRound(view) + index;
  const direction = directionOf(view, round);
  const spoken = el("span", { class: "vh" }, ` ${t(`direction.${direction}`)}`);
  return el("th", { scope: "row" }, String(round + 1), iconElement(direction), spoken);
}

/**
 * What is still being taken in the running round: with a sign, so that it is not read as a total.
 * @param {number} value
 */
function taken(value) {
  return value > 0 ? gain(value) : num(value);
}

/** @param {number} value @param {{hasMoon?: boolean, isRunning?: boolean, class?: string}} [options] */
function cell(value, { hasMoon = false, isRunning: isTaken = false, class: name = "" } = {}) {
  const classes = [value === 0 && "zero", name].filter(Boolean).join(" ");
  const moon = hasMoon ? [iconElement("moon", { className: "moon", solid: true }), moonWord()] : [];
  return el("td", { class: classes }, ...moon, isTaken ? taken(value) : num(value));
}

function moonWord() {
  return el("span", { class: "vh" }, `${t("table.moon")} `);
}

/** Whether one chooses how a moon is written: until then its points stand nowhere. @param {View} view */
function isChoosing(view) {
  return view.phase === "moon" && view.turn === view.seat;
}

/** Whether the sheet counts what is being taken. @param {View} view */
function isCounted(view) {
  return isRunning(view) && !isChoosing(view);
}

/** @param {View} view */
function totalsOn(view) {
  return isCounted(view) ? totalsNow(view) : view.totals;
}

/** What stood on the sheet before this match's first round. @param {View} view */
function before(view) {
  return view.totals.map((total, seat) => view.rounds.reduce((rest, points) => rest - points[seat], total));
}

/** A column a seat, a row a round. @param {View} view */
function upright(view) {
  const seats = view.totals.map((_, seat) => seat);
  const heads = seats.map((seat) => el("th", { scope: "col" }, avatarElement(headOf(seat)), who(view, seat)));
  const rows = [];
  const first = before(view);
  if (first.some((points) => points !== 0)) {
    rows.push(el("tr", {}, el("th", { scope: "row" }, t("table.before")), ...first.map((points) => cell(points))));
  }
  view.rounds.forEach((points, index) => {
    const moon = moonOf(view, points);
    const isNew = ["scored", "deal"].includes(view.phase) && index === view.rounds.length - 1;
    const cells = points.map((value, seat) => cell(value, { hasMoon: seat === moon }));
    rows.push(el("tr", { class: isNew ? "now" : "" }, roundHead(view, index), ...cells));
  });
  if (isCounted(view)) {
    const cells = view.taken.map((value) => cell(value, { isRunning: true }));
    rows.push(el("tr", { class: "now" }, roundHead(view, view.rounds.length), ...cells));
  }
  const totals = totalsOn(view);
  const least = Math.min(...totals);
  const sums = totals.map((total) => el("td", { class: total === least ? "best" : "" }, num(total)));
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("table.round")), ...heads)),
    el("tbody", {}, ...rows),
    el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, t("table.total")), ...sums)),
  );
}

/** From five seats: a row a seat, the lowest total first; rounds are columns. @param {View} view @param {boolean} isWhole */
function turned(view, isWhole) {
  const shown = isWhole ? view.rounds : view.rounds.slice(-COLUMNS);
  const skipped = view.rounds.length - shown.length;
  const first = firstRound(view);
  const running = isCounted(view);
  const moons = shown.map((points) => moonOf(view, points));
  const totals = totalsOn(view);
  const head = shown.map((_, index) => el("th", { scope: "col" }, String(first + skipped + index + 1)));
  if (running) head.push(el("th", { scope: "col" }, String(first + view.rounds.length + 1)));
  const rows = seatsByTotal(totals).map((seat) => {
    const cells = shown.map((points, index) => {
      const isRun = !running && index === shown.length - 1;
      return cell(points[seat], { hasMoon: moons[index] === seat, class: isRun ? "run" : "" });
    });
    if (running) cells.push(el("td", { class: view.taken[seat] === 0 ? "run zero" : "run" }, taken(view.taken[seat])));
    cells.push(el("td", { class: "sum" }, num(totals[seat])));
    const name = el("th", { scope: "row" }, avatarElement(headOf(seat)), el("span", {}, who(view, seat)));
    return el("tr", { class: seat === view.seat ? "me" : "" }, name, ...cells);
  });
  const top = [el("th", { scope: "col" }, t("table.round")), ...head, el("th", { scope: "col" }, t("table.total"))];
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...top)), el("tbody", {}, ...rows));
  // All rounds of a long match are wider than a phone: they scroll between the names and the totals.
  return isWhole ? el("div", { class: "rounds", role: "group", "aria-label": t("table.rounds.all"), tabindex: "0" }, table) : table;
}

/** How far each is on the way to the target. @param {View} view */
function race(view) {
  const rows = totalsNow(view).map((total, seat) => {
    const part = Math.max(0, Math.min(100, Math.floor((total * 100) / view.rules.target)));
    const track = el("span", { class: "track" }, el("i", { style: `width:${part}%` }));
    const name = el("span", {}, who(view, seat));
    return el("li", { class: seat === view.seat ? "me" : "" }, name, track, el("b", {}, num(total)));
  });
  return el("ul", { class: "race" }, ...rows);
}

/** Who shot the moon in which round. @param {View} view */
function moonNotes(view) {
  return view.rounds.flatMap((points, index) => {
    const shooter = moonOf(view, points);
    if (shooter === null) return [];
    const how = points[shooter] < -10 ? "subtract" : "add";
    const key = `table.moon.note.${how}${shooter === view.seat ? ".me" : ""}`;
    const round = firstRound(view) + index + 1;
    const text = t(key, { name: who(view, shooter), round, n: view.rules.moon_points });
    return [el("p", { class: "note" }, iconElement("moon", { solid: true }), el("span", {}, text))];
  });
}

/** The score sheet. @param {View} view @param {{isWhole?: boolean}} [options] isWhole: with every round */
export function sheet(view, { isWhole = false } = {}) {
  const isTurned = view.rules.players > 4;
  const title = t(view.phase === "over" ? "table.final" : "table.sheet");
  const small = el("small", {}, `${book()} · ${t("table.target", { n: view.rules.target })}`);
  return el(
    "section",
    { class: isTurned ? "sheet turned" : "sheet", tabindex: "-1" },
    el("h2", {}, title, small),
    isTurned ? turned(view, isWhole) : upright(view),
    isCounted(view) && !isTurned && race(view),
    ...moonNotes(view),
    isChoosing(view) && el("p", { class: "note" }, iconElement("moon", { solid: true }), el("span", {}, t("table.moon.wait"))),
    el("p", { class: "note low" }, el("span", {}, t("table.lowest_wins"))),
  );
}

/** @param {string[]} texts */
function cardsOf(texts) {
  return el("span", { class: "cards" }, ...texts.map((text) => cardElement(text)));
}

/** The cards that were passed and received, until the round is over. @param {View} view */
export function passed(view) {
  const { my_pass: gave, received: got } = view;
  if (!gave || !got || view.phase === "pass" || !isRunning(view)) return null;
  const back = { left: "right", right: "left", across: "across", hold: "hold" }[view.direction];
  /** @param {string} title @param {number} seat @param {string} side @param {string[]} texts */
  const row = (title, seat, side, texts) => {
    const name = `${who(view, seat)}, ${t(`table.side.${side}`)}`;
    return el("li", {}, el("span", { class: "t" }, el("b", {}, t(title)), name), cardsOf(texts));
  };
  return el(
    "section",
    { class: "sheet" },
    el("h2", {}, t("table.pass")),
    el(
      "ul",
      { class: "passed" },
      row("table.pass.gave", gave.to, view.direction, gave.cards),
      row("table.pass.got", got.from, back, got.cards),
    ),
  );
}

/** The cards of the kitty, for its taker alone. @param {View} view */
export function kitty(view) {
  if (!Array.isArray(view.kitty) || !isRunning(view)) return null;
  const row = el("li", {}, el("span", { class: "t" }, t("table.kitty.secret")), cardsOf(view.kitty));
  return el("section", { class: "sheet" }, el("h2", {}, t("table.kitty")), el("ul", { class: "passed" }, row));
}
