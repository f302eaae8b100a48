// The end of a round, with the reason if there is an extra one, and the end of the match.
// The end of the match has the same markup as templates/hearts/over.html.
import { avatarElement, iconElement, sprite } from "../card.js";
import { t } from "../messages.js";
import { el, find, sync } from "./dom.js";
import { gain, hasGivenUp, headOf, lowestSeats, moonOf, num, presetName, seatsByTotal, who, whoAll } from "./facts.js";

/** @import { Info, View } from "./contract.js" */

const stage = find("#end-stage");

/** How many winners a headline names; of more it tells the number. */
const MOST_NAMES = 3;

/**
 * A view as it was when its last round had just been scored; of a view of a later moment, what can be told of it.
 * @param {View} view
 * @returns {View}
 */
export function asScored(view) {
  if (["scored", "deal", "over"].includes(view.phase)) return view;
  const none = view.totals.map(() => 0);
  const empty = { hand: [], legal: [], trick: [], tricks: [], last_trick: null, taken: none, turn: null, pile_count: 0 };
  return { ...view, ...empty, phase: "scored", round: view.round - 1, broken: false, kitty: 0 };
}

/** Why there is another round, in a title and a sentence. @param {View} view */
export function whyExtra(view) {
  const leaders = lowestSeats(view.totals);
  if (view.extra_round === "tie") {
    const n = num(Math.min(...view.totals));
    return [t("table.why.tie"), t("table.why.tie.text", { names: whoAll(view, leaders), n })];
  }
  const names = whoAll(view, view.perfect);
  return [t("table.why.perfect_round"), t("table.why.perfect_round.text", { leader: whoAll(view, leaders), names })];
}

/** Who shot the moon, and how it was written. @param {View} view */
function whatMoon(view) {
  const { shooter = null, choice = null } = view.last_round ?? {};
  if (shooter === null) return null;
  const isMine = shooter === view.seat;
  const how = choice ?? view.rules.moon;
  const key = `table.shot.${how === "subtract" && isMine ? "subtract.me" : how}`;
  const title = isMine ? t("table.moon.you") : t("table.shot", { name: who(view, shooter) });
  return box(iconElement("moon", { solid: true }), title, t(key, { n: view.rules.moon_points }));
}

/** @param {Node} icon @param {string} title @param {string} text */
function box(icon, title, text) {
  return el("div", { class: "why" }, icon, el("div", {}, el("b", {}, title), el("p", {}, text)));
}

/**
 * Show the end of a round.
 * @param {View} view as it was when the round had just been scored
 */
export function showRoundEnd(view) {
  const leaders = lowestSeats(view.totals);
  const tiles = view.totals.map((total, seat) => {
    const isLead = leaders.includes(seat);
    return el(
      "li",
      { class: isLead ? "lead" : "", "data-lowest": isLead ? t("table.lowest") : null, "data-seat": seat },
      avatarElement(headOf(seat)),
      el("span", { class: "nm" }, who(view, seat)),
      el("span", { class: "plus" }, gain(view.last_round?.points[seat] ?? 0)),
      el("b", {}, num(total)),
    );
  });
  const why = view.extra_round && whyExtra(view);
  const next = el("button", { class: "btn primary big", id: "next-round", type: "button" }, t("table.next_round", { n: view.round + 2 }), iconElement("right"));
  stage.className = "ended";
  sync(
    stage,
    el("h2", { tabindex: "-1" }, t("table.ended", { n: view.round + 1 })),
    el("ul", { class: "tiles" }, ...tiles),
    whatMoon(view),
    why && box(iconElement("again"), why[0], why[1]),
    el("div", { class: "go" }, next),
  );
}

/** Wait until the person goes on to the next round. @returns {Promise<void>} */
export function nextRound() {
  return new Promise((resolve) => find("#next-round", stage).addEventListener("click", () => resolve(), { once: true }));
}

/** One's place: equal totals share it. @param {View} view @param {number} seat */
function placeOf(view, seat) {
  return view.totals.filter((total) => total < view.totals[seat]).length + 1;
}

/** Who won, in a title. @param {View} view */
export function winTitle(view) {
  const { winners, seat } = view;
  if (hasGivenUp(view) && seat === winners[0] && winners.length === 1) return t("company.stand_in.won");
  if (seat !== null && winners.includes(seat) && !hasGivenUp(view)) return t(winners.length === 1 ? "table.won.me" : "table.won.shared.me");
  if (winners.length === 1) return t("table.won.other", { name: who(view, winners[0]) });
  if (winners.length > MOST_NAMES) return t("table.won.shared.many", { n: winners.length });
  return t("table.won.shared", { names: whoAll(view, winners) });
}

/** How one did oneself. @param {View} view */
export function leadLine(view) {
  const { winners, seat, totals } = view;
  if (seat === null) return t("company.watched");
  if (hasGivenUp(view)) return t("company.stand_in.place", { place: placeOf(view, seat), n: totals[seat] });
  if (!winners.includes(seat)) return t("table.won.your_place", { place: placeOf(view, seat), n: totals[seat] });
  const next = seatsByTotal(totals).find((other) => !winners.includes(other));
  if (next === undefined) return t("table.points", { n: totals[seat] });
  return t("table.won.by", { points: num(totals[seat]), name: who(view, next), n: totals[next] - totals[seat] });
}

/** The options of this match, as the form of a new table names them. @param {View} view @param {Info} info */
function again(view, info) {
  const preset = presetName() || "cardems";
  /** @param {string} name @param {unknown} value */
  const hidden = (name, value) => el("input", { type: "hidden", name, value: String(value) });
  const fields = [hidden("game", "hearts"), hidden("rules", preset), hidden(`target-${preset}`, view.rules.target)];
  for (const [field, value] of Object.entries(view.rules)) {
    if (field === "target" || !(field === "players" || info.changed.includes(field))) continue;
    if (field === "pass_cycle" && Array.isArray(value)) {
      value.forEach((direction, index) => fields.push(hidden(`house-pass_cycle-${index}`, direction)));
    } else {
      fields.push(hidden(`house-${field}`, Array.isArray(value) ? value.join(" ") || "-" : value));
    }
  }
  fields.push(hidden("bots", info.bots));
  if (info.end_early) fields.push(hidden("house-end_early", true));
  const button = el("button", { class: "btn primary big" }, iconElement("again"), t("table.again"));
  return el("form", { class: "bare", method: "post", action: "/matches" }, ...fields, button);
}

/** What can be played next: another match of the room, or one of one's own. @param {View} view @param {Info} info */
function next(view, info) {
  const fair = link(`/m/${info.id}/fair`, "lock", t("company.fair"));
  if (info.past_room) return [fair];
  if (!info.room) return [again(view, info), link("/new", "new", t("table.new"))];
  if (view.seat === null) return [el("a", { class: "btn primary big", href: `/t/${info.room}` }, iconElement("people"), t("company.room")), fair];
  const attributes = { class: "btn primary big", type: "button", "data-company": "rematch", title: t("company.rematch.text") };
  return [el("button", attributes, iconElement("again"), t("company.rematch")), fair];
}

/** The cup under the winner's face. */
function cup() {
  const svg = avatarElement("QS", "cup");
  svg.setAttribute("class", "cup");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.querySelector("use")?.setAttribute("href", `${sprite}#logo`);
  return svg;
}

/** Everybody's place. @param {View} view */
function ranking(view) {
  const most = Math.max(1, ...view.totals);
  const shooters = view.rounds.map((points) => moonOf(view, points));
  return seatsByTotal(view.totals).map((seat) => {
    const total = view.totals[seat];
    const part = Math.max(0, Math.min(100, Math.floor((total * 100) / most)));
    const moon = shooters.includes(seat)
      ? [iconElement("moon", { className: "moon", solid: true }), el("span", { class: "vh" }, ` ${t("table.moon")}`)]
      : [];
    return el(
      "li",
      { class: seat === view.seat ? "me" : "", "data-seat": seat },
      el("span", { class: "no" }, `${placeOf(view, seat)}.`),
      avatarElement(headOf(seat)),
      el("span", { class: "nm" }, who(view, seat), ...moon),
      el("span", { class: "track" }, el("i", { style: `width:${part}%` })),
      el("b", {}, num(total)),
    );
  });
}

/** @param {string} href @param {string} icon @param {string} text */
function link(href, icon, text) {
  return el("a", { class: "btn felt", href }, iconElement(icon), text);
}

/** Where the record of the match is told. @param {Info} info */
function recordLink({ id }) {
  const attributes = { class: "btn felt record", href: `/m/${id}/record`, download: true };
  return el("a", attributes, iconElement("sheet"), t("table.record"));
}

/** Show the end of the match. @param {View} view @param {Info} info */
export function showMatchEnd(view, info) {
  stage.className = "ended final";
  sync(
    stage,
    el("div", { class: "victor" }, avatarElement(headOf(view.winners[0])), cup()),
    el("h2", { tabindex: "-1" }, winTitle(view)),
    el("p", { class: "lead-p" }, leadLine(view)),
    el("ol", { class: "rank" }, ...ranking(view)),
    el("div", { class: "acts" }, ...next(view, info), link("/", "home", t("page.home")), recordLink(info)),
  );
}

/** Bring the keyboard and what is read out to the heading of the end. */
export function focusEnd() {
  find("h2", stage).focus({ preventScroll: true });
}
