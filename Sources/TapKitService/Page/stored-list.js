// Stored transactions in a list.
import { h } from "./dom.js";
import { counted, date, shorten } from "./format.js";
import { faint, link, money, row, rows } from "./parts.js";

export const stateWords = {
  unsigned: "unsigned", partial: "partly signed", complete: "ready to send", sent: "sent", confirmed: "confirmed",
  replaced: "replaced",
};

export const walletLink = (name) => `#/wallet/${encodeURIComponent(name)}`;

export const storedList = (transactions) => rows("transactions", transactions.map((transaction) => row(
  { "data-transaction": transaction.id, "data-state": transaction.state },
  [link(target(transaction), `#/sign/${transaction.id}`, { "data-action": "open" }),
    faint(date(transaction.created), transaction.wallet && ` · ${transaction.wallet}`)],
  [transaction.sent_sat === undefined ? "amount unknown" : money(transaction.sent_sat, transaction.network),
    h("span", { class: `state state-${transaction.state}` }, standing(transaction))])));

// The payee, and a label or note, which the payee can have written.
function target({ label, note, payees, only_change: own }) {
  const text = label || note;
  const payee = payees[0] ? payeesText(payees) : own ? "only change" : "unknown";
  return payee + (text ? ` “${text}”` : "");
}

export function payeesText([first, ...others]) {
  return shorten(first, 9) + (others.length ? ` and ${others.length} more` : "");
}

function standing({ state, refused, confirmations, next_signers: next }) {
  if (refused) return "refused";
  if (state === "confirmed") return counted(confirmations, "confirmation");
  const names = next.map((signer) => signer.name ?? signer.ident ?? signer.fingerprint);
  return stateWords[state] + (names.length ? `, next: ${names.join(" or ")}` : "");
}
