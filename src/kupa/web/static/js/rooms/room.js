// The waiting room: keeps the page as the server writes it, sends what is pressed, and goes to the match.
import { iconElement } from "../card.js";
import { connect } from "../connection.js";
import { el, find } from "../hearts/dom.js";
import { t } from "../messages.js";
import { goTo } from "./going.js";
import { refresher } from "./parts.js";
import { closePops, listenToPops } from "./pops.js";
import { createSeal } from "./seal.js";
import { bubble, createTalk, wordsOf } from "./talk.js";

/** @typedef {{id: string, me: string, title: string, code: string, muted: string[], names: Record<string, string>}} Facts */

/** @type {Facts} */
const room = JSON.parse(find("#room").textContent || "{}");
/** How long the line tells why something was refused, in ms. */
const REFUSAL_SHOWN = 5000;

/** The frame of the room that came last. @type {any} */
let last = null;
let names = room.names;
let isLeaving = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let lineTimer;

/** @param {string} person */
function nameOf(person) {
  const seat = last?.view.seats.findIndex((/** @type {any} */ one) => one.person === person) ?? -1;
  return names[person] || (seat < 0 ? t("room.nameless") : t("table.player", { n: seat + 1 }));
}

const region = find("#announcements");
/** @param {string} sentence */
function announce(sentence) {
  if (!sentence) return;
  region.append(el("p", {}, sentence));
  while (region.children.length > 20) region.firstElementChild?.remove();
}

// ---------------------------------------------------------------- the line under the seats

/**
 * @param {(Node | string)[]} content nothing to take the line away
 * @param {number} [milliseconds] how long; 0 for as long as nothing else is said
 */
function sayLine(content, milliseconds = 0) {
  clearTimeout(lineTimer);
  const line = find(".room-line");
  line.hidden = content.length === 0;
  line.replaceChildren(...content);
  if (milliseconds) lineTimer = setTimeout(() => sayLine([]), milliseconds);
}

/** @param {import("../connection.js").Status} status @param {import("../connection.js").Reason | null} reason */
function showStatus(status, reason) {
  document.documentElement.dataset.connection = status;
  if (status === "open") sayLine([]);
  if (status === "lost") {
    const dots = el("span", { class: "dots" }, el("i"), el("i"), el("i"));
    sayLine([el("b", { class: "net" }, iconElement("wifi"), t("table.net.lost")), el("span", { class: "sub" }, t("table.net.again"), dots)]);
    announce(t("table.net.lost"));
  }
  if (status === "final") {
    if (isLeaving) goTo("/lobby");
    else showEnd(reason?.message ?? t("table.net.lost"));
  }
}

/** Say for good why this page is no more that of the room, and show the ways out. @param {string} why */
function showEnd(why) {
  const lobby = el("a", { class: "btn primary", href: "/lobby" }, iconElement("people"), t("room.live.lobby"));
  const home = el("a", { class: "btn felt", href: "/" }, iconElement("home"), t("room.live.home"));
  sayLine([el("b", {}, why), el("span", { class: "acts" }, lobby, home)]);
  document.body.classList.add("is-gone");
  find("[data-part=stage]").inert = true;
  closePops();
  announce(why);
  find(".room-line a").focus();
}

// ---------------------------------------------------------------- what the room tells

/** Say what has changed about the people. @param {any} before @param {any} now */
function announceChanges(before, now) {
  const { me } = now;
  const came = now.people.filter((/** @type {string} */ one) => !before.people.includes(one));
  const went = before.people.filter((/** @type {string} */ one) => !now.people.includes(one) && one !== me);
  for (const person of came) announce(t("room.live.joined", { name: nameOf(person) }));
  for (const person of went) announce(t("room.live.left", { name: nameOf(person) }));
  now.seats.forEach((/** @type {any} */ seat) => {
    const sat = before.seats.some((/** @type {any} */ one) => one.person === seat.person);
    if (seat.person && seat.person !== me && !sat && !came.includes(seat.person)) announce(t("room.live.sat", { name: nameOf(seat.person) }));
  });
  if (now.host === before.host) return;
  announce(now.host === me ? t("room.live.you.host") : t("room.live.host", { name: nameOf(now.host) }));
}

const refresh = refresher(`/t/${room.id}`);

/** @param {any} frame */
function onRoom(frame) {
  const { view } = frame;
  names = { ...names, ...frame.names };
  if (view.phase === "playing" && view.match) {
    announce(t("room.live.starts"));
    goTo(`/m/${view.match}`, { isReplaced: true });
    return;
  }
  if (last) announceChanges(last.view, view);
  last = frame;
  seal.look(view);
  refresh();
}

const connection = connect({
  url: `/t/${room.id}/live`,
  whole: "room",
  onFrame(frame) {
    if (frame.type === "room") onRoom(frame);
    if (frame.type === "messages") {
      names = { ...names, ...frame.names };
      talk.take(frame.messages);
    }
    if (frame.type === "said") talk.said(frame.message);
  },
  onAccepted(id) {
    if (!seal.answered(id)) talk.answered(id, null);
    if (id === leaving) goTo("/lobby");
  },
  onRefused(id, reason) {
    if (id === leaving) isLeaving = false;
    if (seal.answered(id) || talk.answered(id, reason)) return;
    sayLine([el("b", {}, reason.message)], REFUSAL_SHOWN);
    announce(reason.message);
  },
  onStatus: showStatus,
});

const seal = createSeal((command) => connection.request({ type: "room", command }));
const talk = createTalk({
  room: room.id,
  me: room.me,
  muted: room.muted,
  nameOf,
  announce,
  request: (frame) => connection.request(frame),
  onSaid(message) {
    const words = wordsOf(message);
    const seat = last?.view.seats.findIndex((/** @type {any} */ one) => one.person === message.person) ?? -1;
    if (message.kind === "react") bubble(document.querySelector(`.spot[data-seat="${seat}"] .face`), words);
  },
});

// ---------------------------------------------------------------- what is pressed

/** The id of the command to leave. @type {string | null} */
let leaving = null;

/** @param {{type: string} & Record<string, unknown>} command */
function send(command) {
  const id = connection.request({ type: "room", command });
  if (command.type !== "leave") return;
  leaving = id;
  isLeaving = true;
}

/** Put a text where it can be pasted from. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not allowed on plain http: the old way.
    const field = el("textarea", { class: "vh", readonly: true }, text);
    document.body.append(field);
    /** @type {HTMLTextAreaElement} */ (field).select();
    const isDone = document.execCommand("copy");
    field.remove();
    return isDone;
  }
}

/** @param {HTMLElement} button */
async function copied(button) {
  const text = button.dataset.copy ?? "";
  const isDone = await copy(text);
  const told = find(".invite .fault");
  const sentence = isDone ? (button.dataset.said ?? "") : t("room.copied.not", { text });
  told.hidden = false;
  told.classList.toggle("good", isDone);
  told.replaceChildren(iconElement(isDone ? "check" : "warning"), el("span", {}, sentence));
  button.focus();
}

/** @type {Record<string, (button: HTMLElement) => void>} */
const PRESSED = {
  do: (button) => {
    closePops();
    send(JSON.parse(button.dataset.do ?? "{}"));
  },
  copy: copied,
  share: (button) => {
    navigator.share({ title: "Kupa", text: t("room.share.text", { code: room.code }), url: button.dataset.share }).catch(() => {});
  },
  mute: (button) => talk.mute(button.dataset.mute ?? ""),
};

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-do], [data-copy], [data-share], [data-mute]");
  // The second click of a double click may find another button in the place of the first.
  if (!(button instanceof HTMLElement) || event.detail > 1) return;
  for (const [name, act] of Object.entries(PRESSED)) if (name in button.dataset) act(button);
});
document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!("trade" in form.dataset)) return;
    event.preventDefault();
    const other = Number(form.querySelector("select")?.value);
    closePops();
    send({ type: "swap", a: Number(form.dataset.trade), b: other });
  },
  true,
);
document.addEventListener(
  "beforetoggle",
  ({ target }) => {
    for (const button of /** @type {Element} */ (target).querySelectorAll("[data-mute]")) {
      const isHidden = talk.isHidden(button.getAttribute("data-mute") ?? "");
      find("span", button).textContent = t(isHidden ? "room.unmute" : "room.mute");
    }
  },
  true,
);
listenToPops();
document.documentElement.classList.toggle("can-share", "share" in navigator);
