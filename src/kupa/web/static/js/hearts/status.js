// The status line: whose turn it is, what may be played, why something was refused, whether the line is down.
// The same markup as templates/hearts/trick.html.
import { cardName, iconElement } from "../card.js";
import { t } from "../messages.js";
import { el, find, sync } from "./dom.js";
import { standing, who } from "./facts.js";
import { swell } from "./motion.js";

/** @import { View } from "./contract.js" */
/** @typedef {{title: string, text?: string, act?: {id: string, icon: string, label: string}, isFirm?: boolean}} Lasting what holds until it is taken back, with what can be done about it; a note takes its place, unless it is firm */
/** @typedef {{title: string, text?: string, isMine?: boolean}} Note what the line says instead of whose turn it is */

const line = find(".status");

/** @type {View} */
let shown;
/** @type {Note | null} */
let note = null;
/** @type {Lasting | null} */
let lasting = null;
let isLost = false;
/** Why the connection will not come back, if it will not. */
let lostFor = "";

function dots() {
  return el("span", { class: "dots" }, el("i"), el("i"), el("i"));
}

/** What one may do now, as the legal cards show it. @param {View} view */
export function advice({ trick, legal, hand, tricks }) {
  const suits = new Set(legal.map((card) => card[1]));
  if (trick.length) {
    if (suits.size === 1 && suits.has(trick[0].card[1])) return t(`table.follow.${trick[0].card[1]}`);
    return t(legal.length === new Set(hand).size ? "table.discard" : "table.discard.some");
  }
  if (legal.length === 1 && !tricks.length && hand.length > 1) {
    return t("table.opening", { card: cardName(legal[0]) });
  }
  return t("table.lead");
}

/** Whether the person is to play a card. @param {View} view */
export function isOnTurn(view) {
  return view.phase === "play" && view.seat !== null && view.turn === view.seat;
}

/** The button that ends a round in which nothing is left to be taken; it stands where the quiet part would. */
function claimButton() {
  return el("button", { class: "btn felt claim", id: "claim", type: "button" }, iconElement("last"), t("table.claim"));
}

/** The line's loud part. @param {View} view */
function title(view) {
  if (note) return el("b", {}, note.title);
  if (isOnTurn(view)) return el("b", {}, t("table.yours"));
  if (view.phase === "pass") return el("b", {}, t("company.passing"), dots());
  if (view.turn === null) return null;
  const key = view.phase === "moon" ? "table.moon.of" : "table.turn";
  return el("b", {}, t(key, { name: who(view, view.turn) }), dots());
}

/** The line's quiet part. @param {View} view */
function text(view) {
  const pairs = standing(view, view.trick).fallen.size;
  const cancelled = pairs ? t("table.pairs", { n: pairs }) : "";
  if (note) return note.text ?? "";
  if (view.seat === null) return t("company.watching") + (cancelled && ` · ${cancelled}`);
  if (!isOnTurn(view)) return cancelled;
  return advice(view) + (cancelled && ` · ${cancelled}`);
}

/** @param {Lasting} said */
function writeLasting({ title, text, act }) {
  line.className = "status lasting";
  const quiet = text && el("span", { class: "sub" }, text);
  const button = act && el("button", { class: "btn felt claim", id: act.id, type: "button" }, iconElement(act.icon), act.label);
  if (shown.rules.players === 4) sync(line, el("b", {}, title), quiet, button);
  else sync(line, el("span", { class: "line" }, el("b", {}, title)), quiet, button);
}

function write() {
  if (isLost) {
    line.className = "status";
    const title = el("b", { class: "net" }, iconElement("wifi"), t("table.net.lost"));
    const home = () => el("a", { class: "btn felt claim", href: "/" }, iconElement("home"), t("page.home"));
    const text = lostFor ? [lostFor, " ", home()] : [t("table.net.again"), dots()];
    sync(line, title, el("span", { class: "sub" }, ...text));
    return;
  }
  if (lasting && (lasting.isFirm || !note)) {
    writeLasting(lasting);
    return;
  }
  line.className = (note ? note.isMine : isOnTurn(shown)) ? "status mine" : "status";
  // Where the rest may be skipped every heart is taken, and the button needs the room.
  const chip = shown.broken && !shown.can_claim && el("span", { class: "chip broken" }, iconElement("broken", { solid: true }), t("table.broken"));
  const loud = [chip, title(shown)];
  const quiet = text(shown);
  const below = canClaim() ? claimButton() : quiet && el("span", { class: "sub" }, quiet);
  if (shown.rules.players === 4) sync(line, ...loud, below);
  else sync(line, el("span", { class: "line" }, ...loud), below);
}

/** Say whose turn it is. @param {View} view */
export function showStatus(view) {
  shown = view;
  note = null;
  write();
}

/**
 * Say something else, until the view changes or a time is over.
 * @param {Note} said
 * @param {number} [milliseconds] how long at most; 0 for as long as the view stays
 */
export function say(said, milliseconds = 0) {
  note = said;
  write();
  if (!milliseconds) return;
  setTimeout(() => {
    if (note !== said) return;
    note = null;
    write();
  }, milliseconds);
}

/** Whether the line offers to skip the rest of the round; not while it tells something. */
function canClaim() {
  return shown.can_claim && !note;
}

/** Have somebody told when the rest of the round is to be skipped. @param {() => void} claim */
export function listenToClaim(claim) {
  line.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("#claim")) claim();
  });
}

/** Say something for as long as it holds, in the place of whose turn it is. @param {Lasting | null} said */
export function sayLasting(said) {
  lasting = said;
  if (shown) write();
}

/** Say that the connection is lost, or no more. @param {boolean} lost @param {string} [reason] why for good */
export function sayLost(lost, reason = "") {
  isLost = lost;
  lostFor = reason;
  write();
}

/** Hearts have just been broken: the chip grows once. */
export function swellChip() {
  const chip = line.querySelector(".chip.broken");
  if (chip instanceof HTMLElement) swell(chip);
}
