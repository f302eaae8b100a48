// Motion: cards that travel, and pauses. Durations are the tokens of tokens.css, scaled by the speed that is set;
// a person who wants less motion gets none. Whatever runs can be ended in place, so that nobody has to wait.

/** @typedef {{x: number, y: number, width: number}} Spot the middle of something on the screen, and its width */

const root = document.documentElement;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** What ends each motion that runs. @type {Set<() => void>} */
const running = new Set();
let isHurried = false;

/** A duration of the tokens in milliseconds. @param {string} token such as "--d-move" */
export function time(token) {
  const value = getComputedStyle(root).getPropertyValue(token).trim();
  return value.endsWith("ms") ? parseFloat(value) : parseFloat(value) * 1000;
}

/** An easing of the tokens. @param {string} token such as "--e-out" */
function easing(token) {
  return getComputedStyle(root).getPropertyValue(token).trim() || "ease";
}

/** Nobody watches, or nobody wants to. */
function isStill() {
  return isHurried || calm.matches || document.hidden;
}

/** End all that moves, and let nothing move, until `settle`. */
export function hurry() {
  isHurried = true;
  for (const end of [...running]) end();
}

/** Let things move again. */
export function settle() {
  isHurried = false;
}

/** Pause. @param {number} milliseconds @returns {Promise<void>} */
export function pause(milliseconds) {
  if (isHurried || document.hidden || !(milliseconds > 0)) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      running.delete(end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    running.add(end);
  });
}

/** Where something is now. @param {Element} element @returns {Spot} */
export function spotOf(element) {
  const box = element.getBoundingClientRect();
  const width = element instanceof HTMLElement ? element.offsetWidth : box.width;
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width };
}

/** The change that brings an element from where it is to a spot. @param {HTMLElement} element @param {Spot} spot */
function wayTo(element, spot) {
  const here = spotOf(element);
  const scale = here.width ? spot.width / here.width : 1;
  // `scale` also shrinks the way that the element's own transform has gone.
  const own = new DOMMatrix(getComputedStyle(element).transform);
  const x = spot.x - here.x + own.e * (1 - scale);
  const y = spot.y - here.y + own.f * (1 - scale);
  return { translate: `${x}px ${y}px`, scale: String(scale) };
}

/**
 * Run an animation to its end, or until somebody is in a hurry.
 * @param {HTMLElement} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions & {duration: number}} options
 * @returns {Promise<void>}
 */
function run(element, frames, options) {
  const animation = element.animate(frames, options);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      running.delete(end);
      if (animation.playState !== "finished") animation.finish();
      resolve();
    };
    // A page that is hidden half-way stops its animations; the timer goes on.
    const timer = setTimeout(end, options.duration + (options.delay ?? 0) + 60);
    running.add(end);
    animation.onfinish = end;
    animation.oncancel = end;
  });
}

/**
 * Let an element travel from a spot to where it is.
 * @param {HTMLElement} element
 * @param {Spot} spot
 * @param {{duration?: number, delay?: number, ease?: string, fade?: boolean}} [options]
 * @returns {Promise<void>}
 */
export function arrive(element, spot, { duration = time("--d-move"), delay = 0, ease = "--e-both", fade = false } = {}) {
  if (isStill()) return Promise.resolve();
  if (fade) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: duration / 4, delay, fill: "backwards" });
  const frames = [wayTo(element, spot), { translate: "0px 0px", scale: "1" }];
  return run(element, frames, { duration, delay, easing: easing(ease), fill: "backwards" });
}

/**
 * Let an element travel to a spot and vanish there; it must be removed afterwards.
 * @param {HTMLElement} element
 * @param {Spot} spot
 * @param {{duration?: number, ease?: string}} [options]
 * @returns {Promise<void>}
 */
export function depart(element, spot, { duration = time("--d-gather"), ease = "--e-both" } = {}) {
  if (isStill()) return Promise.resolve();
  const frames = [{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { ...wayTo(element, spot), opacity: 0 }];
  return run(element, frames, { duration, easing: easing(ease), fill: "forwards" });
}

/** Let an element grow once and go back. @param {HTMLElement} element */
export function swell(element) {
  if (!isStill()) element.animate([{ scale: "1" }, { scale: "1.25" }, { scale: "1" }], time("--d-gather"));
}
