// The card that a view works with, among those on the readers.

import { h, replace } from "./dom.js";
import { statusElement, titleElement, warnings } from "./card-status.js";
import { doctorLink, field, notice } from "./parts.js";
import { cardTitle } from "./format.js";
import { isAccepted, readersWithCard, state, watch } from "./state.js";
import { isRunning } from "./task.js";

export const cardOn = (reader) => ({ reader: reader.spec, card: reader.card.ident });

const noCard = (words, missing) => notice("info", missing ? `The card ${missing} is not on a reader.`
  : state.readers.length ? `Put ${words} flat on the reader, and nothing else.`
    : "No reader is attached.", doctorLink());

const mark = (status) => JSON.stringify({ ...status, auth_delay_s: 0 });

// Draws in `head` which card of these products it is. Calls `changed(reader)` when it is another or has changed, and
// `changed()` when none may be used, until the signal is aborted.
export function follow(head, { products, words, ident, signal }, changed) {
  let reader;
  let shown;
  let drawn;
  // Until it was there, no other card is shown instead.
  let isWanted = /^(\w{5}-){3}\w{5}$/.test(ident);

  const choice = (readers, current) => readers.length > 1 && field("Card", h("select", {
    onchange: ({ target }) => {
      ident = target.value;
      reader = undefined;
      update();
    },
  }, readers.map(({ card, name }) => h("option", { value: card.ident, selected: card.ident === current?.card.ident },
    `${cardTitle(card)} on ${name}`)))).element;

  function tell(next, now) {
    if (now === shown) return;
    shown = now;
    changed(next);
  }

  // Drawn only when it changes: nothing is said twice, and no choice is lost.
  function draw(now, ...content) {
    if (now === drawn) return;
    drawn = now;
    replace(head, content);
  }

  function update() {
    const all = readersWithCard().filter(({ status }) => status);
    const readers = all.filter(({ card }) => products.includes(card.product));
    const same = readers.find(({ card }) => card.ident === ident);
    const there = same ?? (isWanted || reader && isRunning() ? undefined : readers[0]);
    if (there) {
      ident = there.card.ident;
      isWanted = false;
      reader = { spec: there.spec, name: there.name, card: there.card, status: there.status };
    }
    if (!reader) {
      draw(`none ${state.readers.length} ${all[0]?.card.ident}`,
        all.length > 0 && notice("info", `${cardTitle(all[0].card)} is on the reader.`), noCard(words, isWanted && ident));
      tell(undefined, "none");
      return;
    }
    const { status } = reader;
    const isAway = !there && !isRunning();
    const now = JSON.stringify([readers.map(({ card }) => card.ident), status, isAway]);
    if (!isAccepted(status)) {
      draw(now, choice(readers, there), h("div.card.stack", statusElement(status, "h2")));
      tell(undefined, "refused");
      return;
    }
    draw(now, choice(readers, there), titleElement(status, "h2"), warnings(status),
      isAway && notice("info", "The card was removed.", "What you see is from before."));
    if (!isRunning()) tell(reader, mark(status));
  }

  update();
  watch(update, signal);
}
