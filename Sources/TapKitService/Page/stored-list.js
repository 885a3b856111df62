// Stored transactions in a list: what each sends, to whom, its state, and who signs next.
import { h } from "./dom.js";
import { amount, counted, date, shorten } from "./format.js";
import { link } from "./parts.js";

export const stateWords = {
  unsigned: "unsigned", partial: "partly signed", complete: "ready to be sent", sent: "sent", confirmed: "confirmed",
  replaced: "replaced",
};

export function storedList(transactions) {
  return h("ul", { class: "rows", "data-list": "transactions" }, transactions.map((transaction) => h("li", {
    class: "row", "data-transaction": transaction.id, "data-state": transaction.state,
  },
  h("span", { class: "row-main" },
    link(target(transaction), `#/sign/${transaction.id}`, { "data-action": "open" }),
    h("span", { class: "faint" },
      ` ${date(transaction.created)}${transaction.wallet ? ` · ${transaction.wallet}` : ""}`)),
  h("span", { class: "row-side" },
    h("strong", { class: "amount" }, transaction.sent_sat === undefined ? "amount unknown"
      : amount(transaction.sent_sat, transaction.network)),
    h("span", { class: `state state-${transaction.state}` }, standing(transaction))))));
}

// The user's label or note or, if there is none, the payee.
function target({ label, note, payees, sent_sat: sent }) {
  if (label || note) return label ?? note;
  if (payees.length === 0) return sent === undefined ? "unknown" : "yourself";
  return payeesText(payees);
}

// The first of some addresses, and how many more there are.
export function payeesText([first, ...others]) {
  return shorten(first, 9) + (others.length ? ` and ${others.length} more` : "");
}

function standing({ state, refused, confirmations, next_signers: next }) {
  if (refused) return "refused";
  if (state === "confirmed") return counted(confirmations, "confirmation");
  const names = next.map((signer) => signer.name ?? signer.ident ?? signer.fingerprint);
  return stateWords[state] + (names.length ? `, next: ${names.join(" or ")}` : "");
}
