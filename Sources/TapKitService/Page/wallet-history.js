// What a wallet received and spent, with labels that can be changed.
import { h, replace } from "./dom.js";
import { amount, counted, date, shorten } from "./format.js";
import { actions, button, faint, form, hint, link, row, rows, textInput } from "./parts.js";
import { runServerTask } from "./task.js";
import { payeesText } from "./stored-list.js";

const page = 30;

// The list; stored(txid) answers whether the transaction is in the store.
export function historyList(wallet, entries, stored) {
  const list = rows("history");
  const more = actions();
  let shown = 0;
  const grow = () => {
    list.append(...entries.slice(shown, shown + page).map((entry) => entryElement(wallet, entry, stored(entry.txid))));
    shown += page;
    const rest = entries.length - shown;
    replace(more,
      rest > 0 && button(`${Math.min(rest, page)} more of ${rest}`, grow, { "data-action": "more-history" }));
  };
  grow();
  return h("div", list, more);
}

function entryElement(wallet, entry, isStored) {
  const sign = entry.net_sat < 0 ? "−" : "+";
  const when = entry.time !== undefined ? date(entry.time) : entry.confirmed ? `block ${entry.height}` : "unconfirmed";
  return row({ "data-txid": entry.txid, "data-confirmed": String(entry.confirmed) },
    [h("span", `${when} `, entry.confirmed && faint(counted(entry.confirmations, "confirmation"))),
      labelElement(wallet, entry.txid, entry.label),
      entry.payees.length > 0 && faint(entry.spent_sat > 0 ? "to " : "received at ", payeesText(entry.payees)),
      isStored && link(entry.confirmed || entry.spent_sat === 0 ? "Details" : "Details, or raise the fee",
        `#/sign/${entry.txid}`, { "data-action": "open" })],
    [h("strong", { class: `amount ${entry.net_sat < 0 ? "out" : "in"}` },
      sign + amount(Math.abs(entry.net_sat), wallet.network)),
    entry.balance_sat !== undefined && faint("balance ", amount(entry.balance_sat, wallet.network)),
    entry.spent_sat > 0 && entry.fee_sat !== undefined && faint(`fee ${entry.fee_sat} sat`)]);
}

// A label with a button to change it. `target` is a transaction's id, a coin or an address.
export function labelElement(wallet, target, label) {
  const place = h("span.label");
  const read = (text, isFocused) => {
    const edit = button(text ? "Change" : "Add a label", () => write(text),
      { class: "quiet", "data-action": "edit-label",
        "aria-label": `${text ? "Change the label" : "Add a label"} of ${shorten(target)}` });
    replace(place, text && h("span.label-text", `“${text}”`), " ", edit);
    if (isFocused) edit.focus();
  };
  const write = (text) => {
    const input = textInput({ value: text, maxlength: "255", "data-field": "label", "aria-label": "Label" });
    const problem = h("div");
    const cancel = () => read(text, true);
    const save = async () => {
      const given = input.value.trim();
      if (!given) {
        replace(problem, hint("A label cannot be removed, only changed."));
        return input.focus();
      }
      const saved = await runServerTask(problem, "Saving…", "wallet.label",
        { wallet: wallet.name, target, text: given });
      if (saved) read(given, true);
    };
    replace(place, form({ class: "label-form", onkeydown: ({ key }) => key === "Escape" && cancel() }, save, input,
      h("button", { type: "submit", "data-action": "save-label" }, "Save"), button("Cancel", cancel)), problem);
    input.focus();
  };
  read(label);
  return place;
}
