// The live table of Hearts: takes over the page that the server has written, plays what happens, and sends what
// the person wants. It holds no rule: what may be played is in the view, and what may not, the server says.
import { connect } from "../connection.js";
import { cardName } from "../card.js";
import { t } from "../messages.js";
import { announce, announceClaim, announceEvent, announceTurn, skipped, took } from "./announcements.js";
import { isDialogOpen, listenToDialogs, showSheets } from "./dialogs.js";
import { el, find, setAttributes, sync } from "./dom.js";
import { hasGivenUp, stageOf, subtitle, takeInfo, who } from "./facts.js";
import { deal, focusHand, listenToHand, lower, receive, shake, showHand, spotInHand } from "./hand.js";
import { listenToKeys } from "./keys.js";
import { createLastTrick } from "./last_trick.js";
import { chooseAgain, listenToMoonChoice, showMoonChoice } from "./moon_choice.js";
import { pause, spotOf, time } from "./motion.js";
import { giveAgain, listenToPassing, pick, sendOff, showPassing } from "./passing.js";
import { createPlayer } from "./player.js";
import { asScored, focusEnd, nextRound, showMatchEnd, showRoundEnd } from "./results.js";
import { faceOf, showSeats } from "./seats.js";
import { isOnTurn, listenToClaim, say, sayLost, showStatus, swellChip } from "./status.js";
import { remember, wasReading } from "./round_read.js";
import { flyIn, gather, gatherPile, showTrick } from "./trick.js";

/** @import { Entry, Event, Info, Reason, View } from "./contract.js" */
/** @import { Whole } from "./player.js" */

const root = find("#table");
const mine = find("#mine");
const stages = ["play", "pass", "moon", "end"].map((name) => ({ name, element: find(`#${name}-stage`) }));

/** @type {{view: View, info: Info, seq: number}} */
const first = JSON.parse(find("#match").textContent || "{}");
const info = first.info;
takeInfo(info);

/** What is shown now. */
let shown = first.view;
/** The number of the last event that has been told of, shown or not, and the view after it. */
let told = first.seq;
let latest = first.view;
/** Whether the person wants to see how things stand, and nothing of what leads there. */
let isHurried = false;
/** Commands that have not been answered: what they ask for, by their id. @type {Map<string, {type: string, card?: string}>} */
const asked = new Map();

/** The company, at a table of several people; nobody else needs its module. */
const company = info.room ? (await import("../rooms/company.js")).createCompany(info, () => shown, { showNames, catchUp }) : null;

const lastTrick = createLastTrick({ show: () => showTable(shown), view: () => shown });

// ---------------------------------------------------------------- showing

/** @param {"play" | "pass" | "moon" | "round" | "over"} stage */
function showStage(stage) {
  const isEnd = stage === "round" || stage === "over";
  for (const { name, element } of stages) element.hidden = name !== (isEnd ? "end" : stage);
  mine.hidden = stage === "moon" || isEnd;
  root.classList.toggle("flow", isEnd);
  root.dataset.stage = stage;
}

const title = document.title;

/** Say in the title of the page, which a tab in the background shows, that the company waits for the person. @param {View} view */
function signTurn(view) {
  const { seat, phase, passed, turn } = view;
  const isAwaited = seat !== null && !hasGivenUp(view) && (phase === "pass" ? !passed[seat] : ["play", "moon"].includes(phase) && turn === seat);
  document.title = isAwaited ? `${t("table.yours")} · ${title}` : title;
}

/** The seat that is shown to be on turn. @param {View} view */
function onTurn(view) {
  return ["play", "moon"].includes(view.phase) ? view.turn : null;
}

/** Show the seats, the trick and the status line. @param {View} view */
function showTable(view) {
  showSeats(view, onTurn(view));
  company?.showAgain();
  showTrick(view, { next: view.phase === "play" ? view.turn : null });
  showStatus(view);
}

/**
 * Show a view, all of it, without motion.
 * @param {View} view
 * @param {number} seq
 * @param {{layOutAnew?: boolean}} [options]
 */
function show(view, seq, { layOutAnew = !view.trick.length } = {}) {
  shown = view;
  lastTrick.stop();
  const stage = stageOf(view);
  const isNewStage = root.dataset.stage !== stage;
  setAttributes(root, { "data-phase": view.phase, "data-seq": seq });
  sync(find(".bar h1 small"), subtitle(view, stage));
  showStage(stage);
  showTable(view);
  signTurn(view);
  showHand(view, { layOutAnew });
  showSheets(view);
  lastTrick.offer(view);
  if (stage === "pass") showPassing(view);
  if (stage === "moon") showMoonChoice(view);
  if (stage === "over") showMatchEnd(view, info);
  if (isNewStage) bringKeyboardTo(stage);
}

/** Where the keyboard's place has gone with the stage it was on, give it one on the new stage. @param {string} stage */
function bringKeyboardTo(stage) {
  const place = document.activeElement;
  if (isDialogOpen() || (place && place !== document.body && place.checkVisibility())) return;
  if (stage === "moon") find("#moon-stage h2").focus({ preventScroll: true });
  else if (stage === "over") focusEnd();
  else focusHand();
}

/** Show the end of a round, and wait until the person goes on. @param {View} scored */
async function showEndOfRound(scored) {
  remember(scored.rounds.length);
  sync(find(".bar h1 small"), subtitle(scored, "round"));
  showRoundEnd(scored);
  showSheets(scored);
  showStage("round");
  scrollTo(0, 0);
  const goneOn = nextRound();
  if (!isDialogOpen()) focusEnd();
  await goneOn;
  remember(null);
}

/** Show what is so now, and nothing of what led there; from now on, too. */
function catchUp() {
  isHurried = true;
  player.jump(/** @type {Whole} */ ({ isWhole: true, seq: told, view: latest }));
}

/** Somebody is called otherwise now. */
function showNames() {
  showTable(shown);
  showSheets(shown);
}

// ---------------------------------------------------------------- playing what happens

/** @type {Record<string, (event: Event, view: View, seq: number) => Promise<void> | void>} */
const SCENES = {
  async round_dealt(_, view, seq) {
    if (shown.rounds.length) await showEndOfRound(asScored(shown));
    show(view, seq, { layOutAnew: true });
    scrollTo(0, 0);
    await deal({ x: innerWidth / 2, y: innerHeight / 3, width: 60 });
  },
  async pass_chosen({ seat }, view, seq) {
    show(view, seq);
    if (seat === view.seat) await pause(time("--d-move"));
  },
  async passes_made({ received, from }, view, seq) {
    await sendOff(shown);
    show(view, seq, { layOutAnew: true });
    if (!received?.length) return;
    const side = t(`table.side.${{ left: "right", right: "left", across: "across", hold: "across" }[view.direction]}`);
    say({ title: t("table.received", { n: received.length }), text: `${who(view, from)}, ${side}` });
    await receive(received, spotOf(faceOf(from)));
    await pause(2 * time("--d-rest"));
    lower();
  },
  async card_played({ seat, card, breaks }, view, seq) {
    const from = seat === view.seat ? spotInHand(card) : null;
    show(view, seq, { layOutAnew: false });
    if (breaks) swellChip();
    await flyIn(seat, from);
  },
  async trick_taken({ taker: winner, points }, view, seq) {
    const text = winner === null ? t("table.took.nobody.text") : points ? t("table.points", { n: points }) : "";
    showTrick(shown, { winner, isLookedBackAt: false });
    say({ title: took(view, winner), text, isMine: winner === view.seat });
    await pause(time("--d-rest"));
    await gather(winner);
    show(view, seq, { layOutAnew: true });
  },
  async kitty_taken({ seat }, view, seq) {
    await gatherPile(seat);
    show(view, seq);
  },
  async claimed({ seat }, view, seq) {
    show(view, seq, { layOutAnew: true });
    say({ title: skipped(view, seat), text: t("table.claimed.text"), isMine: seat === view.seat });
    await pause(2 * time("--d-rest"));
  },
};

const player = createPlayer({
  async perform({ seq, event, view }) {
    if (event === null) {
      show(view, seq);
      return;
    }
    lastTrick.stop();
    announceEvent(event, view);
    const wasOnTurn = isOnTurn(shown);
    const couldClaim = shown.can_claim;
    const scene = SCENES[event.type];
    if (scene) await scene(event, view, seq);
    else show(view, seq);
    if (!wasOnTurn && event.type !== "round_dealt") announceTurn(view);
    if (view.can_claim && !couldClaim) announceClaim();
    if (event.type === "match_over") scrollTo(0, 0);
  },
  async replace({ seq, view }) {
    const isLater = view.rounds.length > shown.rounds.length && view.phase !== "over";
    if (isLater && !isHurried) await showEndOfRound(asScored(view));
    show(view, seq);
    announceTurn(view);
  },
  onBusy(isBusy) {
    setAttributes(root, { "data-busy": isBusy });
  },
});

// ---------------------------------------------------------------- what the person wants

/** How long the status line tells why something was refused, in ms; then it says again whose turn it is. */
const REFUSAL_SHOWN = 4000;

/** What was clicked is done in the order clicked, each after all that has happened so far is seen. */
let wishes = Promise.resolve();

/** @param {() => void | Promise<void>} act */
function wish(act) {
  player.hurry();
  // A fault in one wish is told as any other is, and takes none of those behind it along.
  wishes = wishes.then(() => player.idle()).then(act).catch(reportError);
}

/** @param {{type: string} & Record<string, unknown>} command */
function send(command) {
  const id = connection.send(command);
  asked.set(id, { type: command.type, card: typeof command.card === "string" ? command.card : undefined });
}

/** A card that is clicked between two turns waits for the turn, but not for long: then the server has its say. */
const PATIENCE = 1000;

/** Wait until it is the person's turn, or no use waiting. */
async function turn() {
  const end = performance.now() + PATIENCE;
  while (shown.phase === "play" && !isOnTurn(shown) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    player.hurry();
    await player.idle();
  }
}

/** Whether a card is on its way to the server already. @param {string} card */
function isAsked(card) {
  const held = shown.hand.filter((one) => one === card).length;
  return [...asked.values()].filter((one) => one.card === card).length >= held;
}

/** @param {HTMLElement} element @param {string} card */
async function onCard(element, card) {
  if (shown.phase === "pass") {
    pick(element, card, tell);
    return;
  }
  if (isAsked(card)) return;
  await turn();
  if (element.isConnected && !element.classList.contains("gone") && !isAsked(card)) send({ type: "play", card });
}

/** Skip the rest of the round, once. */
function claim() {
  if ([...asked.values()].every(({ type }) => type !== "claim")) send({ type: "claim" });
}

/** Tell of something that no event tells. @param {string} key @param {string} [card] */
function tell(key, card) {
  const of = shown.rules.pass_count;
  const n = document.querySelectorAll(".slots .card").length;
  const sentence = t(key, { n, of, card: card ? cardName(card) : "" });
  if (key === "table.pass.full") sync(find(".pass .count"), sentence);
  announce(sentence);
}

/** A sentence of the server with its cards named as the page names them. @param {string} sentence */
function withCardNames(sentence) {
  return sentence.replace(/(?<!\w)[2-9TJQKA][CDSH](?!\w)/g, cardName);
}

/** @param {string} id @param {Reason} reason */
function onRefused(id, reason) {
  if (company?.answered(id, reason)) return;
  const what = asked.get(id);
  asked.delete(id);
  const why = withCardNames(reason.message);
  wish(() => {
    if (what?.type === "pass") giveAgain();
    if (what?.type === "moon") chooseAgain();
    if (what?.card) shake(what.card);
    say({ title: why }, REFUSAL_SHOWN);
    if (what?.type === "pass") sync(find(".pass .count"), why);
    announce(why);
  });
}

listenToHand((element, card) => wish(() => onCard(element, card)));
listenToPassing({ give: (cards) => send({ type: "pass", cards }), tell });
listenToMoonChoice((choice) => send({ type: "moon", choice }));
listenToClaim(() => wish(() => (shown.can_claim ? claim() : undefined)));
listenToDialogs();
listenToKeys({ lookBack: lastTrick.toggle, stopLookingBack: lastTrick.stopAndShow });
lastTrick.listen();
// A tap on the felt goes on.
find("#play-stage").addEventListener("pointerdown", () => player.hurry());
find("#pass-stage").addEventListener("pointerdown", () => player.hurry());

// ---------------------------------------------------------------- beginning

show(first.view, first.seq);
if (wasReading(first.view)) {
  // The page was loaded anew while the end of a round was on it.
  shown = { ...first.view, rounds: first.view.rounds.slice(0, -1) };
  player.jump({ isWhole: true, seq: first.seq, view: first.view });
}

/** Say on the stages that lie over the status line that the line is down, or down for good. @param {string} status @param {Reason | null} reason */
function showNetLine(status, reason) {
  const line = find("#net-line");
  line.hidden = status !== "lost" && status !== "final";
  if (line.hidden) return;
  const words = status === "final" ? (reason?.message ?? t("table.net.lost")) : `${t("table.net.lost")}. ${t("table.net.again")}`;
  line.replaceChildren(words, ...(status === "final" ? [el("a", { href: "/" }, t("page.home"))] : []));
}

const connection = connect({
  url: `/m/${info.id}/live`,
  onView(view, seq) {
    if (seq === told) return;
    told = seq;
    latest = view;
    player.jump(/** @type {Whole} */ ({ isWhole: true, seq, view }));
  },
  onEvents(entries) {
    told = entries[entries.length - 1].seq;
    latest = entries[entries.length - 1].view;
    if (isHurried) catchUp();
    else player.add(/** @type {Entry[]} */ (entries));
  },
  onFrame: (frame) => company?.onFrame(frame),
  onAccepted(id) {
    company?.answered(id, null);
    asked.delete(id);
  },
  onRefused,
  onStatus(status, reason) {
    if (status === "final" && company?.isLeaving()) location.assign("/lobby");
    const wasLost = root.dataset.connection === "lost";
    root.dataset.connection = status;
    sayLost(status === "lost" || status === "final", status === "final" ? reason?.message : "");
    showNetLine(status, reason);
    if (status === "final" && reason) announce(reason.message);
    if (status === "lost") announce(`${t("table.net.lost")}. ${t("table.net.again")}.`);
    if (status === "open" && wasLost) announce(t("table.net.back"));
  },
});
company?.use(connection);
