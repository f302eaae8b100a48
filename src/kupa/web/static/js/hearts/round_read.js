// Which round's end is being read: kept with the tab, so that it is still there when the page is loaded anew.

/** @import { View } from "./contract.js" */

const KEY = `kupa:${location.pathname}:round`;

/** Keep the number of rounds whose end is shown; null when the person has gone on. @param {number | null} rounds */
export function remember(rounds) {
  try {
    if (rounds === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, String(rounds));
  } catch {
    // A browser that keeps nothing shows the next round at once after a reload.
  }
}

/** Whether the end of the round before this one was being read. @param {View} view */
export function wasReading({ rounds, phase, tricks }) {
  if (!rounds.length || phase === "over" || tricks.length) return false;
  try {
    return sessionStorage.getItem(KEY) === String(rounds.length);
  } catch {
    return false;
  }
}
