// The queue of what has happened: events are played one after the other, however quickly they come.
import { hurry, settle } from "./motion.js";

/** @import { Entry } from "./contract.js" */
/** @typedef {{isWhole: true, seq: number, view: Entry["view"]}} Whole a whole view in place of events */

/**
 * @param {{perform: (entry: Entry) => Promise<void>, replace: (whole: Whole) => Promise<void>,
 *   onBusy: (isBusy: boolean) => void}} stage perform: shows one event, with its motion; replace: shows a view
 */
export function createPlayer({ perform, replace, onBusy }) {
  /** @type {(Entry | Whole)[]} */
  let queue = [];
  let isPlaying = false;
  /** @type {(() => void)[]} */
  let waiting = [];

  async function play() {
    isPlaying = true;
    onBusy(true);
    while (queue.length) {
      const next = /** @type {Entry | Whole} */ (queue.shift());
      if ("isWhole" in next) await replace(next);
      else await perform(next);
    }
    isPlaying = false;
    settle();
    onBusy(false);
    const ready = waiting;
    waiting = [];
    for (const tell of ready) tell();
  }

  return {
    /** Play events after all that wait already. @param {Entry[]} entries */
    add(entries) {
      queue.push(...entries);
      if (!isPlaying) void play();
    },
    /** Show a whole view in place of all that waits. @param {Whole} whole */
    jump(whole) {
      queue = [whole];
      if (isPlaying) hurry();
      else void play();
    },
    /** End what moves; what waits is shown at once, as far as nothing asks for the person. */
    hurry() {
      if (isPlaying) hurry();
    },
    /** Wait until everything has been shown. @returns {Promise<void>} */
    idle() {
      return isPlaying ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
    },
    /** Whether something is being shown. */
    get isPlaying() {
      return isPlaying;
    },
  };
}
