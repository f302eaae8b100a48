// Talk: short messages and quick reactions of the people in a room, in the waiting room and at the table.
import { iconElement } from "../card.js";
import { el, find } from "../hearts/dom.js";
import { hasMessage, t } from "../messages.js";
import { closePops, putBeside } from "./pops.js";

/** @typedef {{id: number | string, person: string, kind: "say" | "react", text: string, at: number}} Message */

/** How many messages stay on the page. */
const MOST = 60;
/** How long a reaction is seen at a seat, in ms. */
const BUBBLE = 3000;

/** What a message says: reactions are names of sentences. @param {Message} message */
export function wordsOf({ kind, text }) {
  return kind === "react" && hasMessage(`room.react.${text}`) ? t(`room.react.${text}`) : text;
}

/** Show something said at somebody's face for a while. @param {Element | null} face @param {string} words */
export function bubble(face, words) {
  if (!face || !face.checkVisibility()) return;
  const at = face.getBoundingClientRect();
  const shown = el("span", { class: "bubble", "aria-hidden": "true" }, words.length > 48 ? `${words.slice(0, 47)}…` : words);
  document.body.append(shown);
  const left = at.left + (at.width - shown.offsetWidth) / 2;
  shown.style.left = `max(8px, min(${left}px, 100vw - ${shown.offsetWidth + 8}px))`;
  shown.style.top = `${Math.max(8, at.top - shown.offsetHeight - 2)}px`;
  setTimeout(() => shown.remove(), BUBBLE);
}

/**
 * Ask the room's pages for something that is no command of the room: hiding somebody, reporting a message.
 * @param {string} path
 * @param {Record<string, string>} fields
 */
async function post(path, fields) {
  try {
    const answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
    return answer.ok || answer.type === "opaqueredirect";
  } catch {
    return false;
  }
}

/**
 * Take over the part of the page that talk is in.
 * @param {object} options
 * @param {string} options.room
 * @param {string} options.me
 * @param {string[]} options.muted whose messages are hidden
 * @param {(person: string) => string} options.nameOf
 * @param {(frame: {type: string, text: string}) => string} options.request gives a frame; returns its id
 * @param {(message: Message) => void} [options.onSaid] something was said just now, by somebody who is not hidden
 * @param {(sentence: string) => void} options.announce
 */
export function createTalk({ room, me: own, muted, nameOf, request, onSaid, announce }) {
  const list = find(".said");
  const box = find(".log");
  const form = /** @type {HTMLFormElement} */ (find("form.say"));
  const entry = /** @type {HTMLInputElement} */ (find("#say"));
  const fault = find(".talk .fault");
  const about = find("#about-message");
  const hidden = new Set(muted);
  /** Who looks at the page; at a table the room tells it. */
  let me = own;
  /** What has been asked for and not been answered: the words, by the id. @type {Map<string, string>} */
  const asked = new Map();
  /** The message that the open menu is about. @type {Message | null} */
  let chosen = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {string} sentence @param {boolean} [isGood] */
  function tell(sentence, isGood = false) {
    clearTimeout(timer);
    fault.hidden = !sentence;
    fault.classList.toggle("good", isGood);
    fault.replaceChildren(sentence ? iconElement(isGood ? "check" : "warning") : "", el("span", {}, sentence));
    if (sentence) timer = setTimeout(() => tell(""), 6000);
  }

  /** @param {Message} message */
  function line(message) {
    const name = message.person === me ? t("room.you") : nameOf(message.person);
    const words = el("p", {}, el("b", {}, name), " ", el("span", {}, wordsOf(message)));
    const attributes = { class: message.kind, "data-message": message.id, "data-person": message.person };
    if (message.person === me) return el("li", attributes, words);
    const label = t("room.talk.more", { name });
    const more = el("button", { class: "btn icon", type: "button", "aria-label": label, title: label }, iconElement("more"));
    more.addEventListener("click", () => openMenu(message, name, more));
    return el("li", attributes, words, more);
  }

  /** @param {Message} message @param {string} name @param {HTMLElement} button */
  function openMenu(message, name, button) {
    chosen = message;
    find(".whose", about).textContent = name;
    find(".what", about).textContent = wordsOf(message);
    about.showPopover();
    putBeside(about, button);
  }

  /** @param {Message} message */
  function add(message) {
    if (hidden.has(message.person) || list.querySelector(`[data-message="${CSS.escape(String(message.id))}"]`)) return false;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    list.append(line(message));
    while (list.children.length > MOST) list.firstElementChild?.remove();
    if (isAtEnd || message.person === me) box.scrollTop = box.scrollHeight;
    return true;
  }

  /** Hide somebody's messages, or show them again. @param {string} person */
  async function mute(person) {
    const isHidden = hidden.has(person);
    closePops();
    if (!(await post(`/t/${room}/${isHidden ? "unmute" : "mute"}`, { person }))) {
      tell(t("room.message.failed"));
      return;
    }
    if (isHidden) hidden.delete(person);
    else hidden.add(person);
    for (const said of list.querySelectorAll("li")) if (said.dataset.person === person) said.remove();
    tell(t(isHidden ? "room.message.unmuted" : "room.message.muted"), true);
    announce(t(isHidden ? "room.message.unmuted" : "room.message.muted"));
  }

  async function report() {
    const message = chosen;
    closePops();
    if (!message) return;
    const isDone = await post(`/t/${room}/report`, { message: String(message.id) });
    tell(t(isDone ? "room.message.reported" : "room.message.failed"), isDone);
    announce(t(isDone ? "room.message.reported" : "room.message.failed"));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = entry.value.trim();
    if (!text) return;
    asked.set(request({ type: "say", text }), text);
    entry.value = "";
  });
  for (const button of document.querySelectorAll("[data-react]")) {
    button.addEventListener("click", () => {
      asked.set(request({ type: "react", text: String(button.getAttribute("data-react")) }), "");
    });
  }
  find("[data-message-mute]", about).addEventListener("click", () => chosen && mute(chosen.person));
  find("[data-message-report]", about).addEventListener("click", report);

  return {
    mute,
    /** Say who looks at the page. @param {string} person */
    be(person) {
      me = person;
    },
    /** Whether somebody's messages are hidden. @param {string} person */
    isHidden: (person) => hidden.has(person),
    /** Take the last messages, all of them. @param {Message[]} messages */
    take(messages) {
      list.replaceChildren();
      for (const message of messages) add(message);
      box.scrollTop = box.scrollHeight;
    },
    /** Take one that was said just now. @param {Message} message */
    said(message) {
      if (!add(message)) return;
      onSaid?.(message);
    },
    /** A frame was answered; tells whether it was one of talk. @param {string} id @param {{message: string} | null} reason */
    answered(id, reason) {
      const text = asked.get(id);
      if (text === undefined) return false;
      asked.delete(id);
      if (reason) {
        tell(reason.message);
        announce(reason.message);
        // What could not be said is not lost, unless something else is being written.
        if (text && !entry.value) entry.value = text;
      }
      return true;
    },
  };
}
