// The cards on the readers, and the choice among them.

import { h } from "./dom.js";
import { field, notice } from "./parts.js";
import { cardTitle } from "./format.js";
import { readersWithCard, state } from "./state.js";

// The readers with a card of one of these products, which has answered.
export const readersWith = (products) => readersWithCard().filter(({ card }) => products.includes(card.product));

// A method's parameters for the card on a reader.
export const cardOn = (reader) => ({ reader: reader.spec, card: reader.card.ident });

// The one that is meant: the one with this ident, else the first.
export const chosen = (readers, ident) => readers.find(({ card }) => card.ident === ident) ?? readers[0];

// A choice, if there is more than one.
export function cardChoice(readers, current, change) {
  if (readers.length < 2) return null;
  const select = h("select", { id: "card-choice", onchange: () => change(select.value) },
    readers.map((reader) => h("option", { value: reader.card.ident, selected: reader === current },
      `${cardTitle(reader.card)} on ${reader.name}`)));
  return field("Card", select).element;
}

// What to do when there is none.
export function noCard(words) {
  const isAttached = state.readers.length > 0;
  return notice("info", isAttached ? `Put ${words} on the reader.` : "No reader is attached.",
    h("p", isAttached ? "Flat and alone; the page notices it by itself." : "Connect one. "),
    h("p", h("a", { href: "#/doctor" }, "Find out why a reader or a card does not work")));
}
