/**
 * The live connection of a match or of a room: one socket at a time, for as long as the page is open.
 *
 * Whatever happens to the network, three things hold. Every command reaches the server, in the order it was
 * given, and is done once (a command keeps its id when it is sent again). What the page is told never has a
 * gap: events that do not follow on make the connection ask for the whole view. And there is always a status.
 *
 * @module connection
 */

/** @typedef {"connecting" | "open" | "lost" | "final"} Status */
/** @typedef {{type: string} & Record<string, unknown>} Command */
/** @typedef {{type: string} & Record<string, any>} Frame  Whatever else the server tells: of the room, of talk. */
/** @typedef {{seq: number, event: Record<string, unknown> | null, view: any}} Entry */
/**
 * @typedef {object} Info  What is told of the match itself.
 * @property {string} id
 * @property {string} game
 * @property {string | null} preset  The name of the rulebook.
 * @property {string[]} changed  The fields of the rulebook that house rules have set.
 * @property {(string | null)[]} names  A name a seat, null for the person.
 * @property {number | null} seat  null for somebody who watches.
 * @property {string | null} [room]  The room whose match it is.
 */
/** @typedef {{code: string, message: string}} Reason */

/**
 * @typedef {object} Options
 * @property {string | URL} url  Address of the socket; a relative one is taken from the page.
 * @property {(view: any, seq: number, info: Info) => void} [onView]  The whole view: at first, and whenever
 *   events were missed.
 * @property {(entries: Entry[]) => void} [onEvents]  Events that follow on what was told before.
 * @property {(frame: Frame) => void} [onFrame]  Frames of any other type, as they come.
 * @property {"view" | "room"} [whole]  The type of the frame that tells everything: "view" for a match (as when
 *   left out), "room" for a waiting room, which has no match yet.
 * @property {(id: string) => void} [onAccepted]  A command has been done.
 * @property {(id: string, reason: Reason) => void} [onRefused]  A command has changed nothing.
 * @property {(status: Status, reason: Reason | null) => void} [onStatus]  "connecting" before the first view,
 *   "open", "lost" while it is being tried again, "final" when it will not be tried again.
 */

/**
 * @typedef {object} Connection
 * @property {(command: Command) => string} send  Gives a command; returns its id.
 * @property {(frame: Frame) => string} request  Gives any other frame that is accepted or refused, in the same
 *   order as commands; returns its id.
 * @property {() => void} sync  Asks for the whole view.
 * @property {() => void} close  Ends the connection for good.
 */

/** The shortest and longest waits before a new try, in milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** How long an answer may take before the connection is held to be dead, in milliseconds. */
const PATIENCE = 8_000;
/** After how long without a word the server is asked whether it is still there: a line may die silently. */
const QUIET = 25_000;
/** Close codes after which trying again is no use: signed out, a foreign page, no such match or room, no more one's place. */
const NO_USE = new Set([4401, 4403, 4404, 4410]);

/**
 * Connects to a match and stays connected.
 *
 * @param {Options} options
 * @returns {Connection}
 */
export function connect({ url, onView, onEvents, onFrame, onAccepted, onRefused, onStatus, whole = "view" }) {
  const address = socketAddress(url);
  /** Frames that have not been answered, oldest first. @type {(Frame & {id: string})[]} */
  const waiting = [];
  /** @type {WebSocket | null} */
  let socket = null;
  /** The number of the last event the page knows of; null before the first view. @type {number | null} */
  let seq = null;
  /** Whether this socket has told everything: before that, and after a gap, events say nothing. */
  let inStep = false;
  /** The id of the command that is on its way. @type {string | null} */
  let onItsWay = null;
  /** @type {Status | null} */
  let status = null;
  /** What the server said last was wrong. @type {Reason | null} */
  let reason = null;
  let tries = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retryTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let answerTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let quietTimer;

  /** @param {Status} next */
  function become(next) {
    if (next !== status && status !== "final") {
      status = next;
      onStatus?.(next, reason);
    }
  }

  function open() {
    clearTimeout(retryTimer);
    reason = null;
    inStep = false;
    onItsWay = null;
    const opened = new WebSocket(address);
    socket = opened;
    awaitAnswer();
    // A socket that has been given up may still speak; it is not listened to.
    opened.onmessage = (message) => opened === socket && receive(JSON.parse(message.data));
    opened.onclose = (closing) => opened === socket && lose(closing.code);
  }

  /** @param {number} code */
  function lose(code) {
    clearTimeout(answerTimer);
    clearTimeout(quietTimer);
    socket = null;
    if (NO_USE.has(code)) {
      end();
      return;
    }
    become(status === "connecting" ? "connecting" : "lost");
    clearTimeout(retryTimer);
    // Waits double; half of each is left to chance, so that not everybody comes back at the same moment.
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
    tries += 1;
    retryTimer = setTimeout(open, longest / 2 + (Math.random() * longest) / 2);
  }

  function giveUp() {
    const dead = socket;
    lose(0);
    dead?.close();
  }

  function end() {
    clearTimeout(retryTimer);
    clearTimeout(answerTimer);
    clearTimeout(quietTimer);
    removeEventListener("online", wake);
    removeEventListener("offline", giveUp);
    document.removeEventListener("visibilitychange", wake);
    become("final");
  }

  /** The page is seen again, or the network is back: try at once, or see whether the socket still lives. */
  function wake() {
    if (document.visibilityState === "hidden" || status === "final") return;
    if (socket === null) {
      tries = 0;
      open();
    } else if (inStep) {
      sync();
    }
  }

  function awaitAnswer() {
    clearTimeout(answerTimer);
    answerTimer = setTimeout(giveUp, PATIENCE);
  }

  /** Something has been answered: nothing more is awaited unless something else was asked, too. */
  function settle() {
    if (inStep && onItsWay === null) clearTimeout(answerTimer);
    else awaitAnswer();
  }

  /** @param {any} frame */
  function receive(frame) {
    clearTimeout(quietTimer);
    quietTimer = setTimeout(sync, QUIET);
    switch (frame.type) {
      case "view":
        return takeView(frame);
      case "events":
        return takeEvents(frame.events);
      case "accepted":
        return answered(frame.id, () => onAccepted?.(frame.id));
      case "refused":
        return answered(frame.id, () => onRefused?.(frame.id, frame));
      case "error":
        reason = { code: frame.code, message: frame.message };
        return;
      default:
        return takeOther(frame);
    }
  }

  /** @param {Frame} frame */
  function takeOther(frame) {
    const tellsAll = frame.type === whole;
    if (tellsAll) beInStep();
    onFrame?.(frame);
    if (tellsAll) sendNext();
  }

  function beInStep() {
    inStep = true;
    tries = 0;
    settle();
    become("open");
  }

  /** @param {{seq: number, view: any, info: Info}} frame */
  function takeView(frame) {
    seq = frame.seq;
    beInStep();
    onView?.(frame.view, frame.seq, frame.info);
    sendNext();
  }

  /** @param {Entry[]} entries */
  function takeEvents(entries) {
    if (!inStep || seq === null) return;
    const known = seq;
    const fresh = entries.filter((entry) => entry.seq > known);
    if (fresh.length === 0) return;
    if (fresh[0].seq !== known + 1) {
      sync();
      return;
    }
    seq = fresh[fresh.length - 1].seq;
    onEvents?.(fresh);
  }

  /**
   * @param {string} id
   * @param {() => void} tell
   */
  function answered(id, tell) {
    if (id !== onItsWay) return;
    onItsWay = null;
    waiting.shift();
    settle();
    tell();
    sendNext();
  }

  /** Sends the oldest frame that waits. One is on its way at a time, so that order holds whatever is lost. */
  function sendNext() {
    if (socket === null || !inStep || onItsWay !== null || waiting.length === 0) return;
    onItsWay = waiting[0].id;
    socket.send(JSON.stringify(waiting[0]));
    awaitAnswer();
  }

  /** @param {Frame} frame @returns {string} */
  function request(frame) {
    const id = newId();
    waiting.push({ ...frame, id });
    sendNext();
    return id;
  }

  function sync() {
    if (socket?.readyState !== WebSocket.OPEN) return;
    inStep = false;
    socket.send(JSON.stringify({ type: "sync" }));
    awaitAnswer();
  }

  addEventListener("online", wake);
  addEventListener("offline", giveUp);
  document.addEventListener("visibilitychange", wake);
  become("connecting");
  open();

  return {
    send: (command) => request({ type: "command", command }),
    request,
    sync,
    close() {
      const open = socket;
      socket = null;
      end();
      open?.close(1000);
    },
  };
}

/**
 * Returns the address of a socket for an address of the page's own scheme.
 *
 * @param {string | URL} url
 * @returns {string}
 */
function socketAddress(url) {
  const address = new URL(url, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return address.href;
}

/**
 * Returns a name for a command that no other has (`crypto.randomUUID` is missing on plain-http addresses).
 *
 * @returns {string}
 */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
