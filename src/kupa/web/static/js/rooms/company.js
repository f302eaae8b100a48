// The company at a table of Hearts: who is away or played for by a bot, how long a decision may still take, talk,
// the way back to one's seat and the ways out. The table itself is played by hearts/table.js.
import { avatarElement, iconElement } from "../card.js";
import { announce } from "../hearts/announcements.js";
import { isDialogOpen } from "../hearts/dialogs.js";
import { el, find, sync } from "../hearts/dom.js";
import { hasGivenUp, headOf, noteGivenUp, takeNames, who } from "../hearts/facts.js";
import { faceOf, seatElement } from "../hearts/seats.js";
import { say, sayLasting } from "../hearts/status.js";
import { t } from "../messages.js";
import { goTo } from "./going.js";
import { listenToPops } from "./pops.js";
import { bubble, createTalk, wordsOf } from "./talk.js";

/** @import { Connection, Frame, Reason } from "../connection.js" */
/** @import { Info, View } from "../hearts/contract.js" */

/** How long the status line tells why something was refused, in ms. */
const REFUSAL_SHOWN = 4000;
/** How long somebody has to be away before it is read out, in ms: who loads the page anew is back by then. */
const AWAY = 3000;
/** How often the time that is left is written anew, in ms. */
const TICK = 250;
/** From this many seconds on the time that is left is shown in gold as well as in figures. */
const HURRY = 10;

/**
 * Take over the company's part of the page.
 * @param {Info} info
 * @param {() => View} view what is shown now
 * @param {{showNames: () => void, catchUp: () => void}} table shows what the seats are called now; shows what is so
 *   now, and nothing of what led there
 */
export function createCompany(info, view, { showNames, catchUp }) {
  /** @type {Connection} */
  let connection;
  /** The frame of the room that came last. @type {any} */
  let room = null;
  /** When the time of each seat is over, by this page's own clock. @type {Map<number, number>} */
  let deadlines = new Map();
  /** The commands of the room that have not been answered, by their id. @type {Map<string, string>} */
  const asked = new Map();
  /** What those are called who have written here, gone or not. @type {Record<string, string>} */
  let writers = {};
  let isLeaving = false;
  /** Of whom it has been read out that they are away. @type {Set<string>} */
  const toldAway = new Set();
  const dialog = /** @type {HTMLDialogElement} */ (find("#talk-dialog"));
  const panel = find("#talk");
  const unread = find("#open-talk .unread");
  const isWide = matchMedia("(min-width: 1100px)");

  /** @param {string} person */
  function nameOf(person) {
    const seat = seatOf(person);
    return room?.names[person] || writers[person] || (seat < 0 ? t("room.nameless") : t("table.player", { n: seat + 1 }));
  }

  /** @param {string} person */
  function seatOf(person) {
    return room ? room.view.seats.findIndex((/** @type {any} */ seat) => seat.person === person) : -1;
  }

  const talk = createTalk({
    room: info.room ?? "",
    me: "",
    muted: [],
    nameOf,
    announce,
    request: (frame) => connection.request(frame),
    onSaid(message) {
      const seat = seatOf(message.person);
      if (seat >= 0) bubble(faceOf(seat), wordsOf(message));
      if (message.person === room?.view.me) return;
      if (!panel.checkVisibility()) unread.hidden = false;
      announce(`${nameOf(message.person)}: ${wordsOf(message)}`);
    },
  });

  /** Talk stands beside the table where there is room, else it opens over it. */
  function placeTalk() {
    if (isWide.matches) {
      dialog.close();
      find(".side").append(panel);
    } else find(".holder", dialog).append(panel);
  }

  // -------------------------------------------------------------- who is there

  /** What is told of a seat beside its points: a word and the icon that goes with it. @param {any} seat @returns {[string, string] | null} */
  function stateOf(seat) {
    if (seat.level !== null || seat.bot_plays || seat.conceded) return ["bot", t("company.state.bot")];
    return room.presence[seat.person] === "away" ? ["wifi", t("company.state.away")] : null;
  }

  function showSeatStates() {
    room.view.seats.forEach((/** @type {any} */ seat, /** @type {number} */ number) => {
      const face = faceOf(number);
      const state = stateOf(seat);
      const old = face.querySelector(".state");
      if (!state) old?.remove();
      else {
        const chip = el("span", { class: state[0] === "wifi" ? "state away" : "state" }, iconElement(state[0]), state[1]);
        if (!old) face.append(chip);
        else if (!old.isEqualNode(chip)) old.replaceWith(chip);
      }
    });
  }

  /** Say it where a bot plays for the person, and offer the seat back. */
  function showOwnSeat() {
    const seat = room.view.my_seat === null ? null : room.view.seats[room.view.my_seat];
    // What bots have played may be over while the page still shows it.
    const hasLeft = hasGivenUp(view()) && view().phase !== "over";
    const isPlayedFor = hasLeft || (Boolean(seat?.bot_plays) && room.view.phase === "playing");
    showStandIn(isPlayedFor, hasLeft);
    if (hasLeft) sayLasting({ title: t("company.gave_up"), act: { id: "company-ahead", icon: "last", label: t("company.ahead") }, isFirm: true });
    else if (!isPlayedFor) sayLasting(null);
    else sayLasting({ title: t("company.bot_for_you"), act: { id: "company-back", icon: "undo", label: t("company.back") } });
    const concede = document.querySelector("#concede");
    if (concede instanceof HTMLElement) concede.hidden = room.view.phase !== "playing" || Boolean(seat?.conceded);
  }

  /** The same where the status line is not on the page. @param {boolean} isPlayedFor @param {boolean} hasLeft for good */
  function showStandIn(isPlayedFor, hasLeft) {
    const line = document.querySelector(".stand-in");
    if (!(line instanceof HTMLElement)) return;
    line.hidden = !isPlayedFor;
    find("span", line).textContent = t(hasLeft ? "company.gave_up" : "company.bot_for_you");
    find("button", line).hidden = hasLeft;
  }

  /** Everybody, in the menu: with what can be done about each. */
  function showPeople() {
    const { view: now } = room;
    const others = now.people.filter((/** @type {string} */ person) => person !== now.me);
    const lines = others.map((/** @type {string} */ person) => {
      const seat = seatOf(person);
      const key = talk.isHidden(person) ? "room.unmute" : "room.mute";
      const label = t(key);
      const button = el("button", { class: "btn icon", type: "button", "data-mute": person, "aria-label": `${nameOf(person)}: ${label}`, title: label }, iconElement(talk.isHidden(person) ? "talk" : "mute"));
      const face = seat < 0 ? iconElement("eye") : avatarElement(headOf(seat));
      return el("li", {}, face, el("span", {}, nameOf(person)), button);
    });
    sync(find(".company-list"), ...lines);
    const watchers = now.people.filter((/** @type {string} */ person) => seatOf(person) < 0).length;
    sync(find(".watchers", panel), watchers ? t("company.watchers", { n: watchers }) : "");
  }

  /** Read out what has changed. @param {any} before */
  function announceChanges(before) {
    room.view.seats.forEach((/** @type {any} */ seat, /** @type {number} */ number) => {
      const old = before.view.seats[number];
      if (!seat.person) return;
      if (seat.person === room.view.me) {
        if (seat.bot_plays && !old.bot_plays && !seat.conceded) announce(t("company.bot_for_you"));
        return;
      }
      const name = who(view(), number);
      if (seat.conceded && !old.conceded) announce(t("company.say.left", { name }));
      else if (seat.bot_plays && !old.bot_plays) announce(t("company.say.bot", { name }));
      else if (!seat.bot_plays && old.bot_plays) announce(t("company.say.plays", { name }));
      const [was, is] = [before.presence[seat.person], room.presence[seat.person]];
      if (was === "here" && is === "away") setTimeout(announceAway, AWAY, seat.person, name);
      if (was === "away" && is === "here" && toldAway.delete(seat.person)) announce(t("company.say.here", { name }));
    });
  }

  /** @param {string} person @param {string} name */
  function announceAway(person, name) {
    if (room.presence[person] !== "away" || toldAway.has(person)) return;
    toldAway.add(person);
    announce(t("company.say.away", { name }));
  }

  // -------------------------------------------------------------- time

  /** The seconds that a seat has left, null where nothing is counted. @param {number} seat */
  function secondsOf(seat) {
    const end = deadlines.get(seat);
    return end === undefined ? null : Math.max(0, Math.ceil((end - performance.now()) / 1000));
  }

  function showTime() {
    const chip = document.querySelector(".own-deadline");
    const mine = view().seat;
    const left = mine === null ? null : secondsOf(mine);
    if (chip instanceof HTMLElement && mine !== null) {
      const flag = seatElement(mine).querySelector(".flag");
      chip.hidden = left === null || (flag?.checkVisibility() ?? false);
      chip.classList.toggle("hurry", left !== null && left <= HURRY);
      if (left !== null) find("b", chip).textContent = String(left);
    }
    for (const flag of document.querySelectorAll(".felt .seat[data-seat] .flag")) {
      const seat = Number(flag.closest("[data-seat]")?.getAttribute("data-seat"));
      const seconds = secondsOf(seat);
      const words = seconds === null ? t("table.flag") : `${t("table.flag")} · ${seconds}`;
      if (flag.textContent !== words) flag.textContent = words;
    }
  }

  // -------------------------------------------------------------- what the room tells

  /** @param {any} frame */
  function onRoom(frame) {
    const before = room;
    room = frame;
    const now = performance.now();
    deadlines = new Map(Object.entries(frame.deadlines ?? {}).map(([seat, left]) => [Number(seat), now + Number(left)]));
    talk.be(frame.view.me);
    if (before) announceChanges(before);
    if (frame.view.match === info.id && frame.view.phase === "playing") takeSeats(frame);
    showSeatStates();
    showOwnSeat();
    showPeople();
    showTime();
    goOn(frame.view);
  }

  /** Take up who has given the match up, and what everybody is called. @param {any} frame */
  function takeSeats({ view: now, names, bots }) {
    now.seats.forEach((/** @type {any} */ seat, /** @type {number} */ number) => seat.conceded && noteGivenUp(number));
    const called = now.seats.map((/** @type {any} */ seat, /** @type {number} */ number) => (seat.person ? names[seat.person] : bots[number]) ?? null);
    if (takeNames(called)) showNames();
  }

  /** Go where the company is: to the waiting room for another match, or to that match. @param {any} now */
  function goOn(now) {
    if (now.phase === "gathering") goTo(`/t/${info.room}`);
    else if (now.phase === "playing" && now.match !== info.id) goTo(`/m/${now.match}`);
  }

  /** @param {{type: string} & Record<string, unknown>} command */
  function send(command) {
    asked.set(connection.request({ type: "room", command }), command.type);
    if (command.type === "leave") isLeaving = true;
  }

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-do], [data-company], [data-mute], #company-back, #company-ahead, #open-talk");
    if (!(button instanceof HTMLElement) || event.detail > 1) return;
    if (button.id === "company-back") send({ type: "back" });
    else if (button.id === "company-ahead") catchUp();
    else if (button.id === "open-talk") openTalk();
    else if (button.dataset.mute) void talk.mute(button.dataset.mute).then(showPeople);
    else if (button.dataset.company) send({ type: button.dataset.company });
    else {
      /** @type {HTMLDialogElement} */ (find("#menu")).close();
      send(JSON.parse(button.dataset.do ?? "{}"));
    }
  });
  function openTalk() {
    unread.hidden = true;
    if (isWide.matches) find("#say").focus();
    else if (dialog.open) dialog.close();
    else if (!isDialogOpen()) {
      dialog.showModal();
      const log = find(".log", panel);
      log.scrollTop = log.scrollHeight;
    }
  }
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || (target instanceof Element && target.closest("[data-close]"))) dialog.close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = document.activeElement?.matches("input:not([type=hidden]), textarea, select");
    if (event.key !== "t" || event.altKey || event.ctrlKey || event.metaKey || isTyping || isDialogOpen()) return;
    event.preventDefault();
    openTalk();
  });
  isWide.addEventListener("change", placeTalk);
  placeTalk();
  listenToPops();
  setInterval(showTime, TICK);

  return {
    /** Be given the connection, once there is one. @param {Connection} made */
    use(made) {
      connection = made;
    },
    /** @param {Frame} frame */
    onFrame(frame) {
      if (frame.type === "room") onRoom(frame);
      if (frame.type === "messages") {
        writers = { ...writers, ...frame.names };
        talk.take(frame.messages);
      }
      if (frame.type === "said") talk.said(frame.message);
    },
    /** Something was answered; tells whether it was the company's. @param {string} id @param {Reason | null} reason */
    answered(id, reason) {
      const type = asked.get(id);
      if (type === undefined) return talk.answered(id, reason);
      asked.delete(id);
      if (reason) {
        isLeaving = false;
        say({ title: reason.message }, REFUSAL_SHOWN);
        announce(reason.message);
      } else if (type === "leave") goTo("/lobby");
      else if (type === "rematch") goTo(`/t/${info.room}`);
      return true;
    },
    /** Whether the person has asked to leave the table: then the end of the connection is none to be told of. */
    isLeaving: () => isLeaving,
    /** The seats have been written anew. */
    showAgain() {
      if (!room) return;
      showSeatStates();
      showTime();
    },
  };
}
