// What is read out as it happens: one polite region, a sentence for each thing that everybody at the table sees.
import { cardName } from "../card.js";
import { t } from "../messages.js";
import { el, find } from "./dom.js";
import { gain, num, who } from "./facts.js";
import { leadLine, whyExtra, winTitle } from "./results.js";
import { advice, isOnTurn } from "./status.js";

/** @import { Event, View } from "./contract.js" */

const MOST = 40;
const region = find("#announcements");

/** Have a sentence read out. @param {string} sentence */
export function announce(sentence) {
  if (!sentence) return;
  region.append(el("p", {}, sentence));
  while (region.children.length > MOST) region.firstElementChild?.remove();
}

/** @param {string[]} texts */
export function named(texts) {
  return texts.map(cardName).join(", ");
}

/** @type {Record<string, (event: Event, view: View) => string>} */
const SENTENCES = {
  round_dealt: ({ round, hand }) => hand ? t("table.say.dealt", { n: round + 1, cards: named(hand) }) : t("company.say.dealt", { n: round + 1 }),
  pass_chosen: ({ seat, cards }, view) =>
    cards ? t("table.say.passed", { cards: named(cards) }) : t("table.say.chose", { name: who(view, seat) }),
  passes_made: ({ received, from }, view) =>
    received?.length ? t("table.say.received", { name: who(view, from), cards: named(received) }) : "",
  play_began: ({ leader }, view) => (leader === view.seat ? "" : t("table.say.leads", { name: who(view, leader) })),
  card_played: ({ seat, card, breaks }, view) => {
    const played = t("table.say.card", { name: who(view, seat), card: cardName(card) });
    return breaks ? `${played} ${t("table.say.broken")}` : played;
  },
  trick_taken: ({ taker: winner, points }, view) => `${took(view, winner)}.${points ? ` ${t("table.points", { n: points })}.` : ""}`,
  kitty_taken: ({ seat, cards }, view) =>
    cards ? t("table.say.kitty.me", { cards: named(cards) }) : t("table.say.kitty", { name: who(view, seat) }),
  claimed: ({ seat }, view) => `${skipped(view, seat)}. ${t("table.claimed.text")}.`,
  moon_made: ({ seat }, view) =>
    seat === view.seat ? `${t("table.moon.you")}. ${t("table.moon.how")}` : t("table.say.moon", { name: who(view, seat) }),
  moon_chosen: ({ choice }, view) => t(`table.say.chosen.${choice}`, { n: view.rules.moon_points }),
  round_scored: ({ points, totals }, view) =>
    points
      .map((/** @type {number} */ gained, /** @type {number} */ seat) =>
        t("table.say.scored", { name: who(view, seat), points: gain(gained), total: num(totals[seat]) }),
      )
      .join(" "),
  extra_round: (_, view) => whyExtra(view).join(". "),
  match_over: (_, view) => `${winTitle(view)}. ${leadLine(view)}`,
};

/** Who took a trick. @param {View} view @param {number | null} winner */
export function took(view, winner) {
  if (winner === null) return t("table.took.nobody");
  return winner === view.seat ? t("table.took.me") : t("table.took.by", { name: who(view, winner) });
}

/** Who skipped the rest of a round. @param {View} view @param {number} seat */
export function skipped(view, seat) {
  return seat === view.seat ? t("table.claimed.me") : t("table.claimed.by", { name: who(view, seat) });
}

/** Read out that the rest of the round may be skipped. */
export function announceClaim() {
  announce(`${t("table.claim.open")}. ${t("table.claim")}.`);
}

/** Read out what happened. @param {Event} event @param {View} view as it is after the event */
export function announceEvent(event, view) {
  const sentence = SENTENCES[event.type];
  if (sentence) announce(sentence(event, view));
}

/** Read out that it is the person's turn. @param {View} view */
export function announceTurn(view) {
  if (isOnTurn(view)) announce(`${t("table.yours")}. ${advice(view)}.`);
}
