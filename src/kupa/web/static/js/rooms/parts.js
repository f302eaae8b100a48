// Bringing a page up to date from the server's own writing of it: there is one template, and no second one here.
import { sync } from "../hearts/dom.js";
import { goTo } from "./going.js";

/** Ask for the page again. @param {string} path @returns {Promise<Document | null>} null where it could not be had */
export async function fetchPage(path) {
  try {
    const answer = await fetch(path, { headers: { accept: "text/html" }, redirect: "manual", cache: "no-store" });
    // The page leads somewhere else now: to the match that has begun, or away from a room that is gone.
    if (answer.type === "opaqueredirect") goTo(path, { isReplaced: true });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null; // the connection tells of it, and comes back
  }
}

/** Keep open what the person has opened, unless it is about somebody else by now. @param {Element} part @param {Element} fresh */
function keepOpen(part, fresh) {
  for (const details of part.querySelectorAll("details[open][id]")) {
    fresh.querySelector(`#${CSS.escape(details.id)}`)?.setAttribute("open", "");
  }
  for (const pop of part.querySelectorAll(".pop:popover-open")) {
    const next = fresh.querySelector(`#${CSS.escape(pop.id)}`);
    const isOfTheSame = next instanceof HTMLElement && pop instanceof HTMLElement && next.dataset.of === pop.dataset.of;
    if (!isOfTheSame && pop instanceof HTMLElement) pop.hidePopover();
  }
}

/** Make every [data-part] of the page as it is on another writing of it. @param {Document} page */
export function takeParts(page) {
  for (const part of document.querySelectorAll("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${part.getAttribute("data-part")}"]`);
    if (!fresh) continue;
    keepOpen(part, fresh);
    sync(part, ...fresh.childNodes);
  }
}

/**
 * Return a function that brings the page up to date: asked again while it is at it, it does so once more after.
 * @param {string} path
 * @param {(page: Document) => void} [then]
 */
export function refresher(path, then) {
  let isBusy = false;
  let isWanted = false;
  return async function refresh() {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      const page = await fetchPage(path);
      if (page && !isWanted) {
        takeParts(page);
        then?.(page);
      }
    }
    isBusy = false;
  };
}
