// What the pieces of the table tell of a view, worked out once; the same as templates/hearts/facts.html.
// Nothing here decides anything: which cards may be played is the view's to say.
import { t } from "../messages.js";

/** @import { Info, Played, View, Direction } from "./contract.js" */

/** The court heads that stand for the seats, seat 0 first. */
const HEADS = ["JS", "QC", "QH", "KD", "QD", "JC", "QS", "KC", "JH", "KS", "JD"];
const RUNNING = ["pass", "open", "play", "claimed", "moon", "chosen"];

/** The names of the seats. @type {(string | null)[]} */
let names = [];
/** The room whose match it is. @type {string | null} */
let room = null;
/** The preset's name. @type {string | null} */
let preset = null;
let hasHouseRules = false;
/** The seats whose people have given the match up. @type {Set<number>} */
let gaveUp = new Set();

/** Take up what holds for the whole match. @param {Info} info */
export function takeInfo(info) {
  names = info.names;
  preset = info.preset;
  room = info.room ?? null;
  hasHouseRules = info.changed.some((field) => field !== "target");
  gaveUp = new Set(info.gave_up);
}

/** Take up what the seats are called now; tells whether that is news. @param {(string | null)[]} now */
export function takeNames(now) {
  const isNews = now.some((name, seat) => name !== names[seat]);
  names = now;
  return isNews;
}

/** @param {number} seat */
export function noteGivenUp(seat) {
  gaveUp.add(seat);
}

/** Whether a bot plays for the person to the end, who has given the match up. @param {View} view */
export function hasGivenUp({ seat }) {
  return seat !== null && gaveUp.has(seat);
}

/** @param {number} seat */
export function headOf(seat) {
  return HEADS[seat];
}

/** The seat at the bottom of the page: one's own, or the first for somebody who watches. @param {View} view */
export function bottomOf(view) {
  return view.seat ?? 0;
}

/** A seat's place seen from one's own: 0 is oneself, then clockwise. @param {View} view @param {number} seat */
export function placeOf(view, seat) {
  return (seat - bottomOf(view) + view.rules.players) % view.rules.players;
}

/** @param {View} view @param {number} seat */
export function who(view, seat) {
  return seat === view.seat ? t("table.you") : names[seat] || t("table.player", { n: seat + 1 });
}

/** Several names in a row. @param {View} view @param {number[]} seats */
export function whoAll(view, seats) {
  const all = seats.map((seat) => who(view, seat));
  const last = all.pop() ?? "";
  return all.length ? all.join(", ") + t("table.and") + last : last;
}

/** A number with a true minus sign. @param {number} value */
export function num(value) {
  return String(value).replace("-", "−");
}

/** A gain with its sign: +3, −10, +0. @param {number} value */
export function gain(value) {
  return value < 0 ? num(value) : `+${value}`;
}

/** The rulebook's name, and that there are house rules where there are; the menu tells which. */
export function book() {
  const name = t(`rules.${preset ?? "custom"}`);
  return preset && hasHouseRules ? t("table.house", { book: name }) : name;
}

/** The room whose match it is, or null. */
export function roomId() {
  return room;
}

/** The preset's own name, or null. */
export function presetName() {
  return preset;
}

/** Whether the points taken so far are still to be written down. @param {View} view */
export function isRunning(view) {
  return RUNNING.includes(view.phase);
}

/** How many cards a hand begins with. @param {View} view */
export function handSize({ rules }) {
  return Math.floor((52 * rules.decks - rules.removed.length) / rules.players);
}

/** The first round of the score sheet, counted from 0. @param {View} view */
export function firstRound(view) {
  return view.round - view.rounds.length + (isRunning(view) ? 0 : 1);
}

/** The direction in which the cards of a round were passed. @param {View} view @param {number} round @returns {Direction} */
export function directionOf({ rules }, round) {
  return rules.pass_count ? rules.pass_cycle[round % rules.pass_cycle.length] : "hold";
}

/** Who gets one's cards. @param {View} view */
export function receiverOf(view) {
  const n = view.rules.players;
  const steps = { left: 1, right: n - 1, across: Math.floor(n / 2), hold: 0 };
  return (bottomOf(view) + steps[view.direction]) % n;
}

/** Totals with the points taken so far. @param {View} view */
export function totalsNow(view) {
  return view.totals.map((total, seat) => total + (isRunning(view) ? view.taken[seat] : 0));
}

/** Seats, the lowest total first. @param {number[]} totals */
export function seatsByTotal(totals) {
  return totals.map((_, seat) => seat).sort((a, b) => totals[a] - totals[b] || a - b);
}

/** The seats that have the lowest total. @param {number[]} totals */
export function lowestSeats(totals) {
  const least = Math.min(...totals);
  return totals.flatMap((total, seat) => (total === least ? [seat] : []));
}

/**
 * The seat that shot the moon in a round, as the points written down show it; null where they show none.
 * @param {View} view
 * @param {number[]} points
 * @returns {number | null}
 */
export function moonOf({ rules }, points) {
  const off = rules.bonus_card ? [0, -10] : [0];
  const whole = rules.decks * (13 * rules.heart_points + rules.queen_points);
  const canAdd = rules.moon !== "subtract" && (rules.players - 1) * rules.moon_points !== whole;
  let found = null;
  points.forEach((mine, seat) => {
    const others = points.filter((_, other) => other !== seat);
    const added = canAdd && off.includes(mine) && others.every((one) => off.includes(one - rules.moon_points));
    const takenOff =
      rules.moon !== "add" && off.includes(mine + rules.moon_points) && others.every((one) => off.includes(one));
    if (added || takenOff) found = seat;
  });
  return found;
}

/**
 * The points of hearts and the queens that a seat has taken in this round, told apart where the number of cards
 * allows only one way; else all count as hearts.
 * @param {View} view
 * @param {number} seat
 */
export function takenBy(view, seat) {
  const { players, heart_points: heart, queen_points: queen } = view.rules;
  let cards = 0;
  let kitty = Array.isArray(view.kitty) ? view.kitty.length : 0;
  const sum = { hearts: 0, queens: 0 };
  for (const trick of view.tricks) {
    cards += players;
    if (trick.winner === null) continue;
    if (trick.winner === seat) {
      const most = (cards + (seat === view.seat ? kitty : 0)) * heart;
      const queens = queen > most ? Math.floor(trick.points / queen) : 0;
      sum.queens += queens;
      sum.hearts += trick.points - queens * queen;
    }
    cards = kitty = 0;
  }
  return sum;
}

/**
 * How a trick stands where equal cards cancel: the cards that have cancelled each other, and the seat whose card
 * leads so far (null where none does, and at tables where nothing cancels).
 * @param {View} view
 * @param {Played[]} trick
 * @returns {{fallen: Set<string>, ahead: number | null}}
 */
export function standing({ rules }, trick) {
  /** @type {Set<string>} */
  const fallen = new Set();
  if (!rules.cancellation) return { fallen, ahead: null };
  const texts = trick.map(({ card }) => card);
  texts.forEach((text, index) => texts.indexOf(text) !== index && fallen.add(text));
  let ahead = null;
  let best = -1;
  for (const { card, seat } of trick) {
    const rank = "23456789TJQKA".indexOf(card[0]);
    if (card[1] === texts[0][1] && !fallen.has(card) && rank > best) [ahead, best] = [seat, rank];
  }
  return { fallen, ahead };
}

/** Which of the page's parts a view is shown by. @param {View} view @returns {"play" | "pass" | "moon" | "over"} */
export function stageOf(view) {
  if (view.phase === "over") return "over";
  if (view.seat === null) return "play";
  if (view.phase === "moon" && view.turn === view.seat) return "moon";
  return view.phase === "pass" ? "pass" : "play";
}

/** What stands under the title; a narrow bar breaks it after the book. @param {View} view @param {string} stage */
export function subtitle(view, stage) {
  return `${book()} · ${moment(view, stage).replaceAll(" ", "\u00a0")}`;
}

/** How far the match is. @param {View} view @param {string} stage */
function moment(view, stage) {
  const n = view.round + 1;
  if (stage === "over") return t("table.rounds", { n: view.rounds.length });
  if (stage === "moon" || stage === "round") return t("table.round.over", { n });
  const round = t("table.round.n", { n });
  if (stage === "pass") return round;
  const of = handSize(view);
  return `${round} · ${t("table.trick.n", { n: Math.min(view.tricks.length + 1, of), of })}`;
}
