// Texts out of values. Nothing here adds or compares money: an amount is only written down.

const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

// Text from outside without invisible characters, so that it cannot reorder what is shown.
export const neutral = (text) => String(text).replace(unseen, "\uFFFD");

// "0.00012345 BTC", or "0.00012345 test BTC" on a network that is not the main one.
export function amount(sat, network = "main") {
  const digits = String(sat).padStart(9, "0");
  return `${digits.slice(0, -8)}.${digits.slice(-8)} ${network === "main" ? "" : `${network} `}BTC`;
}

// Not every server tells.
export const unconfirmed = ({ unconfirmed_sat: sat, network }) =>
  (sat > 0 ? `${amount(sat, network)} unconfirmed` : sat !== 0 && "unconfirmed: unknown");

export const doubtfulKey = "If no setup of yours was interrupted, do not use the card: somebody else may know its key.";

export const shorten = (text, ends = 8) =>
  (text.length > 2 * ends + 1 ? `${text.slice(0, ends)}…${text.slice(-ends)}` : text);

export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// Seconds since 1970, in the reader's own form.
export const date = (seconds) => new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: "medium" });
export const moment = (seconds) =>
  new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

// A card as people tell it from others; the text that comes first is what a simulated card must be called by.
export const cardTitle = ({ product, name, ident, simulated }) =>
  `${simulated ? "SIMULATED " : ""}${product.toUpperCase()} ${name ? `${neutral(name)} (${ident})` : ident}`;
