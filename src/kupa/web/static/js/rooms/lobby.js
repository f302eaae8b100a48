// The lobby: brings the list of open tables up to date every now and then, quietly. The page works without it.
import { find, sync, syncKeyed } from "../hearts/dom.js";
import { fetchPage } from "./parts.js";

/** How often the tables are asked for, in ms. */
const EVERY = 10_000;

const list = find(".tbls");

/** Each table stays the element it is, with the keyboard's place on it. @param {Document} page */
function take(page) {
  const fresh = page.querySelector(".tbls");
  if (!fresh) return;
  sync(find("#tables-title"), ...(page.querySelector("#tables-title")?.childNodes ?? []));
  const tables = [...fresh.children].map((table) => /** @type {HTMLElement} */ (document.adoptNode(table)));
  syncKeyed(list, tables, (table) => table.dataset.room ?? "");
  find(".none").hidden = tables.length > 0;
}

async function refresh() {
  if (document.visibilityState === "hidden") return;
  const page = await fetchPage("/lobby");
  if (page) take(page);
}

setInterval(refresh, EVERY);
document.addEventListener("visibilitychange", refresh);
