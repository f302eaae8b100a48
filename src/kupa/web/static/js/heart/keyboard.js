// Every action by keys. Enter and Space press the button that has the focus, as everywhere; the arrows go over the
// heart and the piles as they lie in the window, whichever side they are on.

/** What a key does; the same letters in both languages. @type {Record<string, string>} */
const LETTERS = {
  ...{ d: "stock", s: "stock", w: "waste", u: "undo", r: "same", n: "new", m: "menu", "?": "menu" },
  ...{ D: "stock", S: "stock", W: "waste", U: "undo", R: "same", N: "new", M: "menu" },
};

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The middle of an element's place in the window. @param {Element} element */
function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width };
}

/**
 * The next element in a direction: near, and rather straight ahead.
 * @param {Element} from @param {HTMLElement[]} among @param {[number, number]} direction
 * @returns {HTMLElement | null}
 */
function next(from, among, [dx, dy]) {
  const here = middle(from);
  let best = null;
  let least = Infinity;
  for (const element of among) {
    const there = middle(element);
    const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    // A third of a card tells another place from the same one, raised.
    if (ahead < here.width / 3) continue;
    const distance = ahead + 2 * aside;
    if (distance < least) [best, least] = [element, distance];
  }
  return best;
}

/** Whether keys mean something else here: a field, or the menu. @param {EventTarget | null} target */
function isElsewhere(target) {
  return target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
}

/**
 * Listen to the keys of the table.
 * @param {import("./board.js").Board} board
 * @param {(action: string) => void} act does one of: stock, waste, undo, same, new, menu
 */
export function listenToKeys(board, act) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || isElsewhere(event.target)) return;
    const action = actionOf(event);
    if (action) {
      event.preventDefault();
      if (!event.repeat || action === "undo" || action === "stock") act(action);
      return;
    }
    const direction = ARROWS[event.key];
    if (!direction || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const places = board.present();
    const from = places.find((place) => place === document.activeElement);
    const to = from ? next(from, places, direction) : board.stop;
    to?.focus();
  });
}

/** @param {KeyboardEvent} event @returns {string | undefined} */
function actionOf({ key, ctrlKey, metaKey, shiftKey }) {
  if (ctrlKey || metaKey) return (key === "z" || key === "Z") && !shiftKey ? "undo" : undefined;
  return Object.hasOwn(LETTERS, key) ? LETTERS[key] : undefined;
}
