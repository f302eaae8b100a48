// The new table: says at the foot what has been chosen so far. The form works without it.
import { t } from "./messages.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form.new"));
const summary = /** @type {HTMLElement} */ (form.querySelector(".summary"));
const changes = /** @type {HTMLElement} */ (form.querySelector(".house summary small"));

/** How many house rules are set. @param {FormData} data */
function changed(data) {
  const fields = new Set();
  for (const [name, value] of data) {
    // The directions of the passing cycle are one rule: house-pass_cycle-0, -1, …
    if (name.startsWith("house-") && String(value).trim()) fields.add(name.replace(/-\d+$/, ""));
  }
  return fields.size;
}

function tell() {
  const data = new FormData(form);
  const rules = String(data.get("rules"));
  const chosen = String(data.get(`target-${rules}`));
  const target = chosen === "other" ? data.get(`target-own-${rules}`) || "?" : chosen;
  const players = Number(data.get("house-players") || data.get(`players-${rules}`));
  summary.textContent = [
    t(`rules.${rules}`),
    t("players.count", { n: players }),
    t("new.summary.target", { target: String(target) }),
  ].join(" · ");
  const n = changed(data);
  changes.textContent = n ? t("new.house.some", { n }) : t("new.house.none");
}

form.addEventListener("input", tell);
tell();
