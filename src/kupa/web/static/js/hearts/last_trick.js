// «Previous trick»: looking once more at the trick that was taken last, in the place of the one on the table. The
// table is framed and nobody is on turn meanwhile, so that it cannot be taken for the trick that is played.
import { cardElement, cardName } from "../card.js";
import { t } from "../messages.js";
import { announce, took } from "./announcements.js";
import { find, sync } from "./dom.js";
import { who } from "./facts.js";
import { showSeats } from "./seats.js";
import { say } from "./status.js";
import { showTrick } from "./trick.js";

/** @import { View } from "./contract.js" */

const MINIATURES = 4;

/** @param {{show: () => void, view: () => View}} table show: shows the table as it is; view: what is shown */
export function createLastTrick({ show, view }) {
  const button = find("#last-trick");
  const root = find("#table");
  let isOpen = false;

  function stop() {
    isOpen = false;
    button.setAttribute("aria-pressed", "false");
    root.removeAttribute("data-looking-back");
  }

  function stopAndShow() {
    if (!isOpen) return;
    stop();
    show();
  }

  function toggle() {
    const { last_trick: last } = view();
    if (isOpen) return stopAndShow();
    if (!last || button.hidden || find("#mine").hidden) return;
    isOpen = true;
    button.setAttribute("aria-pressed", "true");
    root.setAttribute("data-looking-back", "");
    showSeats(view(), null);
    showTrick(view(), { trick: last.cards, winner: last.winner, isLookedBackAt: true });
    const text = last.points ? t("table.points", { n: last.points }) : "";
    say({ title: t("table.last"), text: took(view(), last.winner) + (text && ` · ${text}`) });
    const cards = last.cards.map(({ seat, card }) => t("table.say.card", { name: who(view(), seat), card: cardName(card) }));
    announce(`${t("table.last")}. ${cards.join(" ")} ${took(view(), last.winner)}. ${text}`);
  }

  return {
    stop,
    stopAndShow,
    toggle,
    /** Offer to look back, where there is a last trick. @param {View} now */
    offer({ last_trick: last, phase }) {
      button.hidden = !last || phase === "pass";
      const cards = (last?.cards ?? []).slice(0, MINIATURES);
      sync(find(".mini", button), ...cards.map(({ card }) => cardElement(card, { named: false })));
    },
    listen() {
      button.addEventListener("click", toggle);
      // A tap anywhere else goes back, and does besides what it does.
      document.addEventListener("pointerdown", ({ target }) => {
        if (!(target instanceof Node && button.contains(target))) stopAndShow();
      });
    },
  };
}
