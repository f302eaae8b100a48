// Cards on their way. The board is already as the view says: what moves are copies above it, which take no tap, so
// that input is never held up. Whatever runs ends in place when the next thing happens.
import { cardElement } from "../card.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box a card's place in the window, px */

const style = getComputedStyle(document.documentElement);

/** A duration of tokens.css in ms, as the speed that is set and reduced motion have it. @param {string} name */
function ms(name) {
  const value = style.getPropertyValue(name).trim();
  return value.endsWith("ms") ? parseFloat(value) : parseFloat(value) * 1000;
}

/** A curve of tokens.css. @param {string} name */
function curve(name) {
  return style.getPropertyValue(name).trim();
}

/** Where an element's card lies. @param {Element} element @returns {Box} */
export function boxOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width, height };
}

/** @param {number} dx @param {number} dy @param {string} [rest] */
function moved(dx, dy, rest = "") {
  return `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px) ${rest}`;
}

export class Motion {
  /** @type {Animation[]} */
  #running = [];
  #layer;

  /** @param {HTMLElement} host what the layer of flying cards is put into */
  constructor(host) {
    this.#layer = document.createElement("div");
    this.#layer.className = "flights";
    this.#layer.setAttribute("aria-hidden", "true");
    host.append(this.#layer);
  }

  /** Whether anything moves at all: not with reduced motion, nor on a page that nobody sees. */
  get wanted() {
    return ms("--d-move") > 10 && !document.hidden;
  }

  /** End whatever runs, in place. */
  finish() {
    for (const animation of this.#running) animation.cancel();
    this.#running = [];
    this.#layer.replaceChildren();
  }

  /**
   * A card goes from the stock to the waste, turning over on the way.
   * @param {Box} stock @param {Element} waste
   * @param {string} text the card that is now on top @param {string | null} under the card it lies on
   */
  flip(stock, waste, text, under) {
    const box = boxOf(waste);
    const drawing = waste.querySelector(".card-cut");
    // The waste shows the new card already: until it lands, what it lies on, or nothing, is seen in its place.
    if (under) this.#copy(under, box);
    else if (drawing) this.#run(drawing, [{ opacity: 0 }, { opacity: 0 }], 2 * ms("--d-fast"));
    this.#turnOver("back", text, stock, box);
  }

  /**
   * A card goes back from the waste to the stock, face down.
   * @param {Box} waste @param {Box} stock @param {string} text the card that was on top
   */
  flipBack(waste, stock, text) {
    this.#turnOver(text, "back", waste, stock);
  }

  /**
   * A pair meets, then flies up.
   * @param {{text: string, box: Box}[]} cards the two
   */
  pair(cards) {
    const [left, right] = [...cards].sort((a, b) => a.box.x - b.box.x);
    const middle = { x: (left.box.x + right.box.x) / 2, y: (left.box.y + right.box.y) / 2 };
    const width = Math.min(left.box.width, right.box.width);
    for (const card of [left, right]) {
      const side = card === left ? -1 : 1;
      this.#flyUp(card.text, card.box, { x: middle.x + side * width * 0.3, y: middle.y - 34 }, side);
    }
  }

  /**
   * One card of a pair.
   * @param {string} text @param {Box} box where it lies
   * @param {{x: number, y: number}} meeting where it meets the other @param {number} side -1 left of it, 1 right
   */
  #flyUp(text, box, meeting, side) {
    const copy = this.#copy(text, box);
    copy.style.boxShadow = "var(--sh-lift)";
    const [dx, dy] = [meeting.x - box.x, meeting.y - box.y];
    const together = moved(dx, dy, `rotate(${side * 8}deg) scale(1.05)`);
    const away = moved(dx, dy - 156, `rotate(${side * 20}deg) scale(.7)`);
    this.#run(copy, [
      { opacity: 1, transform: "none", easing: curve("--e-both") },
      { opacity: 1, transform: together, offset: 0.5, easing: curve("--e-in") },
      { opacity: 0, transform: away },
    ], ms("--d-move") * 2);
  }

  /** Cards that come back appear from above. @param {Element[]} elements */
  arrive(elements) {
    for (const element of elements) {
      const drawing = element.querySelector(".card-cut");
      if (!drawing) continue;
      // The drawing moves, its place does not: a tap meets the card at once.
      const from = { opacity: 0, transform: "translateY(-48px)" };
      this.#run(drawing, [from, { opacity: 1, transform: "none" }], ms("--d-move"), curve("--e-out"));
    }
  }

  /** @param {string} before @param {string} after @param {Box} from @param {Box} to */
  #turnOver(before, after, from, to) {
    const half = ms("--d-fast");
    const middle = moved((to.x - from.x) / 2, (to.y - from.y) / 2 - 12);
    const back = moved((from.x - to.x) / 2, (from.y - to.y) / 2 - 12);
    const scale = to.width / from.width;
    this.#run(this.#copy(before, from), [
      { transform: "none", easing: curve("--e-in") },
      { transform: `${middle} scale(.02, ${(1 + scale) / 2})` },
    ], half);
    const landing = this.#copy(after, to);
    this.#run(landing, [
      { transform: `${back} scale(.02, 1)`, easing: curve("--e-out") },
      { transform: "none" },
    ], half, "linear", half);
  }

  /** @param {string} text @param {Box} box */
  #copy(text, box) {
    const { x, y, width, height } = box;
    const copy = cardElement(text, { named: false, style: { "--cw": `${width}px` } });
    copy.style.left = `${x - width / 2}px`;
    copy.style.top = `${y - height / 2}px`;
    this.#layer.append(copy);
    return copy;
  }

  /**
   * @param {Element} element @param {Keyframe[]} frames @param {number} duration
   * @param {string} [easing] @param {number} [delay]
   */
  #run(element, frames, duration, easing = "linear", delay = 0) {
    const animation = element.animate(frames, { duration, easing, delay, fill: "both" });
    this.#running.push(animation);
    animation.finished.then(
      () => {
        this.#running = this.#running.filter((other) => other !== animation);
        if (this.#running.length === 0) this.finish();
        else if (!this.#layer.contains(element)) animation.cancel();
      },
      () => {}, // cancelled
    );
  }
}
