// The new table: says at the foot what has been chosen so far, and at each house rule what the chosen rulebook
// says. The form works without it.
import { t } from "./messages.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.new"));
const summary = /** @type {HTMLElement} */ (form.querySelector(".summary"));
const changes = /** @type {HTMLElement} */ (form.querySelector(".house summary small"));

/**
 * What each rulebook says: by its name and the number of players, by field, in words.
 * @type {Record<string, Record<string, Record<string, string>>>}
 */
const rulesSay = JSON.parse(document.getElementById("rules-say")?.textContent || "{}");

/** How many house rules are set. @param {FormData} data */
function changed(data) {
  const fields = new Set();
  for (const [name, value] of data) {
    // The directions of the passing cycle are one rule: house-pass_cycle-0, -1, …
    if (name.startsWith("house-") && String(value).trim()) fields.add(name.replace(/-\d+$/, ""));
  }
  return fields.size;
}

/** What was chosen of a rulebook's players or target. @param {FormData} data @param {string} name */
function chosen(data, name) {
  const rules = String(data.get("rules"));
  const value = String(data.get(`${name}-${rules}`));
  return value === "other" ? String(data.get(`${name}-own-${rules}`) || "?") : value;
}

/** Tell at every house rule what it is when it is left alone. @param {string} rules @param {string} players */
function tellRules(rules, players) {
  const usual = /** @type {HTMLInputElement} */ (form.querySelector(`[name="players-${rules}"][checked]`))?.value;
  const book = rulesSay[rules] ?? {};
  const said = book[players] ?? book[usual] ?? Object.values(book)[0] ?? {};
  for (const [field, value] of Object.entries(said)) {
    const words = t("new.as_rules", { value });
    const told = form.querySelector(`[data-says="${field}"]`) ?? form.querySelector(`#house-${field} option`);
    if (told instanceof HTMLInputElement) told.placeholder = words;
    else if (told) told.textContent = words;
  }
}

function tell() {
  const data = new FormData(form);
  const rules = String(data.get("rules"));
  const players = chosen(data, "players");
  const n = changed(data);
  const parts = [
    t(`rules.${rules}`),
    t("players.count", { n: players }),
    t("new.summary.target", { target: chosen(data, "target") }),
  ];
  if (n) parts.push(t("new.summary.house"));
  summary.textContent = parts.join(" · ");
  changes.textContent = n ? t("new.house.some", { n }) : t("new.house.none");
  tellRules(rules, players);
}

form.addEventListener("input", tell);
tell();
