// The table of Heart to Heart: takes over the page that the server wrote. Every tap goes to the server, in order and
// at once; what comes back is shown. No rule of the game is known here.
import { connect } from "../connection.js";
import { t } from "../messages.js";
import { Board, cardOf, placeOf } from "./board.js";
import { Clock } from "./clock.js";
import { copy, share, showBest, showFigures, showTime } from "./figures.js";
import { listenToKeys } from "./keyboard.js";
import { Menu } from "./menu.js";
import { Motion, boxOf } from "./motion.js";
import { Told, sentence } from "./told.js";

/** @typedef {import("./board.js").HeartView} HeartView */
/** @typedef {import("./board.js").At} At */
/** @typedef {import("./told.js").HeartEvent} HeartEvent */

/** How long a setting is kept for the next deal that begins on another page, in seconds: as the server's own. */
const KEPT_FOR = 400 * 24 * 3600;
/** How long a button says that it has done its work, in ms. */
const SAID_FOR = 2500;

/** @type {{seq: number, view: HeartView, info: {id: string}}} */
const match = JSON.parse(document.getElementById("match")?.textContent ?? "");

const root = /** @type {HTMLElement} */ (document.getElementById("table"));

/** @template {HTMLElement} [T=HTMLElement] @param {string} selector @returns {T} */
function part(selector) {
  return /** @type {T} */ (root.querySelector(selector));
}

const felt = part(".hh");
const stuck = part(".dialog");
const line = part("[data-line]");

const board = new Board(root);
const motion = new Motion(root);
const told = new Told(part("[data-told]"));
const clock = new Clock(match.info.id, match.view.elapsed_ms, showTime);
const menu = new Menu((settings) => connection.send({ type: "settings", ...settings }));

let view = match.view;
/** Whether something has been tapped in this game: until then the clock stands still. */
let begun = false;
/** What the line says until the next event: why a command was refused. */
let refused = "";
/** What the line says while there is no connection. */
let away = "";

// ---- showing a view

function showLine() {
  line.textContent = away || refused || (view.notice ? t(`heart.line.${view.notice}`) : "");
  line.hidden = !line.textContent;
}

/** Let the time run or stand as the game does. */
function followClock() {
  if (view.status === "playing") {
    clock.atLeast(view.elapsed_ms);
    clock.run(begun);
  } else {
    clock.stopAt(view.elapsed_ms);
  }
}

/** What to say and offer at either end, or in play. */
function showStatus() {
  const { status, undo, code } = view;
  root.dataset.status = status;
  felt.classList.toggle("stuck", status === "stuck");
  felt.classList.toggle("won", status === "won");
  stuck.hidden = status !== "stuck";
  part(".dialog .undo").hidden = undo === 0;
  part(".dialog .acts").classList.toggle("fresh", undo === 0);
  part(".bar small").textContent = status === "won" && code ? code : t("heart.aim");
  const tool = part(".tool[data-do=undo]");
  if (undo) tool.removeAttribute("aria-disabled");
  else tool.setAttribute("aria-disabled", "true");
  if (status === "won") showBest(view.elapsed_ms);
}

/** When what had the focus is no longer there, the focus goes to what took its place. @param {Element | null} held */
function keepFocus(held) {
  if (!(held instanceof HTMLElement) || !root.contains(held)) return;
  const now = document.activeElement;
  const isHeld = now === held && held.offsetParent !== null;
  if (isHeld || (now !== held && now !== document.body)) return;
  const ends = { won: "#won-title", stuck: "#stuck-title", playing: ".tool[data-do=undo]" };
  part(ends[view.status]).focus();
}

/** @param {HeartView} next @param {number} seq */
function show(next, seq) {
  const held = document.activeElement;
  view = next;
  begun ||= Boolean(view.undo || view.elapsed_ms || view.selected);
  root.dataset.seq = String(seq);
  showFigures(view);
  board.show(view);
  showStatus();
  showLine();
  followClock();
  keepFocus(held);
}

// ---- what moves

/** The cards of a pair, where they lie before it goes. @param {HeartEvent} event @param {HeartView} before */
function pairOf({ a, b }, before) {
  return [a, b].map((at) => {
    const place = /** @type {number | "waste"} */ (at);
    const rank = place === "waste" ? before.waste_top : before.heart[place - 1];
    return { text: cardOf(/** @type {string} */ (rank)), box: boxOf(board.element(place)) };
  });
}

/** Cards go from one pile to the other. @param {HeartView} before @param {HeartView} after */
function movePile(before, after) {
  if (!board.stock.offsetParent) return;
  const up = after.waste_top && after.waste > before.waste;
  if (up) {
    motion.flip(boxOf(board.stock), board.waste, cardOf(after.waste_top ?? ""), before.waste_top && cardOf(before.waste_top));
  } else if (before.waste_top) {
    motion.flipBack(boxOf(board.waste), boxOf(board.stock), cardOf(before.waste_top));
  }
}

/** Cards come back. @param {HeartView} before @param {HeartView} after */
function moveBack(before, after) {
  if (after.stock !== before.stock) {
    movePile(before, after);
    return;
  }
  const back = board.heart.filter((_, index) => before.heart[index] === null && after.heart[index] !== null);
  motion.arrive(after.waste > before.waste ? [...back, board.waste] : back);
}

/** @param {import("../connection.js").Entry[]} entries */
function happen(entries) {
  motion.finish();
  delete root.dataset.fresh;
  refused = "";
  for (const [index, entry] of entries.entries()) {
    const event = /** @type {HeartEvent | null} */ (/** @type {unknown} */ (entry.event));
    const before = view;
    const moving = index === entries.length - 1 && motion.wanted ? event?.type : "";
    const pair = event && moving === "paired" ? pairOf(event, before) : [];
    if (event?.type !== "settings_changed") begun = true;
    show(entry.view, entry.seq);
    if (event?.type === "settings_changed") keepSettings();
    if (pair.length) motion.pair(pair);
    else if (moving === "drawn" || moving === "redealt") movePile(before, view);
    else if (moving === "undone") moveBack(before, view);
    if (event) told.say(sentence(event, before, view));
  }
}

/** Take the settings along to the next deal, wherever it begins. */
function keepSettings() {
  menu.show(view);
  for (const name of /** @type {const} */ (["move_errors", "placement_help"])) {
    document.cookie = `kupa_${name}=${view[name]}; path=/; max-age=${KEPT_FOR}; samesite=lax`;
  }
}

// ---- what is done

/** @param {At} at */
function tap(at) {
  connection.send({ type: "tap", at, elapsed_ms: clock.ms });
}

/** @param {string} id */
function deal(id) {
  /** @type {HTMLFormElement | null} */ (document.getElementById(id))?.requestSubmit();
}

async function shareCode() {
  const said = await share(view.code ?? "");
  if (!said) return;
  told.say(said);
  const label = part("[data-share]");
  label.textContent = said;
  setTimeout(() => (label.textContent = t("heart.share")), SAID_FOR);
}

/** Copy the code, and say so over it: nothing moves. */
async function copyCode() {
  const said = await copy(view.code ?? "");
  told.say(said);
  const cell = part(".info .code");
  cell.dataset.said = said;
  setTimeout(() => delete cell.dataset.said, SAID_FOR);
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  undo: () => connection.send({ type: "undo", elapsed_ms: clock.ms }),
  stock: () => tap("stock"),
  waste: () => tap("waste"),
  menu: () => menu.open(),
  same: () => deal("same-deal"),
  new: () => deal("new-deal"),
  share: () => void shareCode(),
  copy: () => void copyCode(),
};

/** A tap ends what moves, in place. */
function settle() {
  motion.finish();
  delete root.dataset.fresh;
}

root.addEventListener("pointerdown", settle, { capture: true });
root.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest("[data-do]"));
  if (button) {
    ACTIONS[button.dataset.do ?? ""]?.();
    return;
  }
  // A card that went between press and release leaves the click to what lies under the finger now.
  const under = event.detail ? document.elementFromPoint(event.clientX, event.clientY) : null;
  const at = placeOf(target) ?? placeOf(under);
  if (at !== null) tap(at);
});
listenToKeys(board, (action) => {
  settle();
  ACTIONS[action]();
});

// ---- the connection

const connection = connect({
  url: `/m/${match.info.id}/live`,
  onView(whole, seq) {
    motion.finish();
    show(whole, seq);
    menu.show(view);
  },
  onEvents: happen,
  onRefused(_, { message }) {
    refused = message;
    showLine();
    told.say(message);
  },
  onStatus(status, reason) {
    const was = away;
    away = status === "lost" ? t("heart.line.offline") : status === "final" ? (reason?.message ?? "") : "";
    if (away !== was) told.say(away || t("heart.line.online"));
    showLine();
  },
});

show(view, match.seq);
menu.show(view);
