// The figures: time, score, moves, the cards of the stock, the best time; and the code that is shared.
import { t } from "../messages.js";
import { clockText } from "./clock.js";

const BEST = "kupa.heart.best";

/** Write a figure wherever it stands. @param {string} name @param {string} text */
function write(name, text) {
  for (const element of document.querySelectorAll(`[data-figure=${name}]`)) {
    if (element.textContent !== text) element.textContent = text;
  }
}

/** @param {number} ms */
export function showTime(ms) {
  write("time", clockText(ms));
}

/** @param {import("./board.js").HeartView} view */
export function showFigures({ score, moves, stock }) {
  const numbers = { score, moves, stock };
  for (const [name, n] of Object.entries(numbers)) write(name, String(n));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-unit]"))) {
    const unit = /** @type {"score" | "moves"} */ (element.dataset.unit);
    element.textContent = t(`heart.${unit}.label`, { n: numbers[unit] });
  }
}

/** Show the shortest winning time of this browser, a new one included. @param {number} ms the time of this win */
export function showBest(ms) {
  let best = ms;
  try {
    const stored = Number(localStorage.getItem(BEST));
    if (stored > 0 && stored < best) best = stored;
    localStorage.setItem(BEST, String(best));
  } catch {
    // A browser that keeps nothing has its first win every time.
  }
  write("best", clockText(best));
}

/** Copy a text without the clipboard's own interface, which pages from plain addresses lack. @param {string} text */
function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/**
 * Hand a deal's code on: by the device's own way of sharing, or to the clipboard.
 * @param {string} code
 * @returns {Promise<string>} what to say: empty where the device has said it
 */
export async function share(code) {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    try {
      await navigator.share({ text: code });
      return "";
    } catch (error) {
      if (/** @type {DOMException} */ (error).name === "AbortError") return "";
    }
  }
  return copy(code);
}

/**
 * Copy a deal's code.
 * @param {string} code
 * @returns {Promise<string>} what to say
 */
export async function copy(code) {
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    if (!copyBySelection(code)) return t("heart.share.failed");
  }
  return t("heart.share.copied");
}
