// Building cards, icons and faces: the same markup as templates/macros.html writes (a test compares the two).
import { t } from "./messages.js";

const SVG = "http://www.w3.org/2000/svg";

/** The address of a file of drawings, of the same version as this module. @param {string} file */
export function drawings(file) {
  return new URL(`../${file}`, import.meta.url).pathname;
}

/** The deck's drawings, with the index letters that are set. */
export const sprite = drawings(document.documentElement.dataset.index === "turkish" ? "cards-tr.svg" : "cards.svg");

const icons = drawings("icons.svg");

/**
 * An <svg> that shows symbols of a file of drawings.
 * @param {string} className
 * @param {string} viewBox
 * @param {{href: string, className?: string}[]} uses
 * @returns {SVGSVGElement}
 */
function drawing(className, viewBox, uses) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  for (const { href, className: name } of uses) {
    const use = document.createElementNS(SVG, "use");
    if (name) use.setAttribute("class", name);
    use.setAttribute("href", href);
    svg.append(use);
  }
  return svg;
}

/**
 * The card's name in the page's language, in the middle of a sentence: "maça kızı", "queen of spades".
 * @param {string} text such as "QS"
 */
export function cardName(text) {
  return t(`card.${text}`);
}

/** The two cuts of a card's face, or its back. @param {string} text "QS" or "back" */
function cut(text) {
  return drawing(
    "card-cut",
    "0 0 100 140",
    text === "back"
      ? [{ href: `${sprite}#back` }]
      : [
          { href: `${sprite}#c-${text}`, className: "c" },
          { href: `${sprite}#f-${text}`, className: "f" },
        ],
  );
}

/** What is read out for a face. @param {string} text */
function nameElement(text) {
  const name = document.createElement("span");
  name.className = "vh";
  name.textContent = cardName(text);
  return name;
}

/**
 * Build a card.
 * @param {string} text "QS", or "back" for a card that is face down
 * @param {{tag?: string, className?: string, style?: Record<string, string | number>,
 *   attributes?: Record<string, string>, named?: boolean}} [options]
 *   tag: "span" (default) or "button"; style: custom properties such as {"--k": 3};
 *   named: false leaves out the hidden name (for cards that are only decoration).
 * @returns {HTMLElement}
 */
export function cardElement(text, { tag = "span", className = "", style = {}, attributes = {}, named = true } = {}) {
  const card = document.createElement(tag);
  card.className = className ? `card ${className}` : "card";
  if (card instanceof HTMLButtonElement) card.type = "button";
  for (const [name, value] of Object.entries(style)) card.style.setProperty(name, String(value));
  for (const [name, value] of Object.entries(attributes)) card.setAttribute(name, value);
  card.append(cut(text));
  if (text !== "back" && named) card.append(nameElement(text));
  return card;
}

/**
 * Turn a card over in place: the element stays, so that a motion under way goes on.
 * @param {HTMLElement} card an element of cardElement
 * @param {string} text "QS" or "back"
 */
export function showFace(card, text) {
  card.querySelector(":scope > .card-cut")?.replaceWith(cut(text));
  card.querySelector(":scope > .vh")?.remove();
  if (text !== "back") card.querySelector(":scope > .card-cut")?.after(nameElement(text));
}

/**
 * A line icon of static/icons.svg.
 * @param {string} name
 * @param {{className?: string, solid?: boolean}} [options] solid: filled instead of drawn (broken, moon)
 */
export function iconElement(name, { className = "", solid = false } = {}) {
  const classes = ["i", solid && "solid", className].filter(Boolean).join(" ");
  return drawing(classes, "0 0 24 24", [{ href: `${icons}#${name}` }]);
}

/** The bare mark of a suit. @param {"h" | "d" | "c" | "s"} suit @param {string} [className] */
export function markElement(suit, className = "") {
  return drawing(className, "0 0 100 100", [{ href: `${sprite}#mark-${suit}` }]);
}

/** A face. @param {string} head the court card whose head it is: "QC" @param {string} [className] */
export function avatarElement(head, className = "") {
  return drawing(className ? `av ${className}` : "av", "0 0 56 56", [{ href: `${sprite}#head-${head}` }]);
}
