// Builds a payment; its review and the signing follow.
import { h, replace } from "./dom.js";
import { asks, call } from "./rpc.js";
import { actions, button, check, errorNotice, field, hint, link, textInput } from "./parts.js";
import { amount } from "./format.js";
import { feeFields } from "./fee-fields.js";
import { runServerTask, taskButton } from "./task.js";
import { walletLink } from "./stored-list.js";

async function render(main, name, signal) {
  replace(main, h("p", link(`Wallet ${name}`, walletLink(name), { "data-action": "back" })),
    h("h1", `Pay from ${name}`));
  let wallet;
  try {
    wallet = await call("wallet.show", { wallet: name, offline: true });
  } catch (error) {
    return main.append(errorNotice(error));
  }
  const payees = [];
  const list = h("div.stack");
  const add = () => {
    const payee = payeeFields(payees.length === 0 ? null : () => {
      payees.splice(payees.indexOf(payee), 1);
      payee.element.remove();
    });
    payees.push(payee);
    list.append(payee.element);
    return payee;
  };
  add();
  const fee = feeFields();
  const note = field("Note", textInput({ maxlength: "200", "data-field": "note" }),
    "For your own lists; nobody else sees it.");
  const unconfirmed = check("Also spend coins of others' unconfirmed transactions", { "data-field": "unconfirmed" });
  const task = h("div.outcome");
  const build = taskButton("Build it", "build", async () => {
    const params = orderOf(payees, fee);
    if (!params) return;
    const made = await runServerTask(task, "Building…", "transaction.create", {
      wallet: name, ...params, note: note.input.value.trim() || undefined,
      unconfirmed: unconfirmed.input.checked, asks: asks(),
    }, { signal });
    if (made) location.hash = `#/sign/${made.id}`;
  }, "primary");
  const form = h("div.narrow",
    wallet.confirmed_sat === undefined ? hint("Not synchronized yet.")
      : h("p", { "data-balance": wallet.confirmed_sat }, `Confirmed: ${amount(wallet.confirmed_sat, wallet.network)}`),
    list, actions(button("Another payee", () => add().address.focus(), { class: "quiet", "data-action": "add-payee" })),
    fee.element, note.element, unconfirmed.element,
    hint("Nothing is signed or sent yet: you see what it does first."),
      actions(build), task);
  main.append(form);
}

function payeeFields(remove) {
  const address = field("Pay to",
    textInput({ autocapitalize: "off", "data-field": "address" }),
    "An address, or a bitcoin: link.");
  const sum = field("Amount", textInput({ inputmode: "decimal", "data-field": "amount" }));
  const unit = field("Unit", h("select", { "data-field": "unit" },
    h("option", { value: "BTC" }, "BTC"), h("option", { value: "sat" }, "sat"),
      h("option", { value: "all" }, "everything else")));
  unit.input.addEventListener("change", () => { sum.element.hidden = unit.input.value === "all"; });
  address.input.addEventListener("change", () => {
    const found = /^bitcoin:([a-z0-9]+)(?:\?(.*))?$/i.exec(address.input.value.trim());
    const query = new URLSearchParams(found?.[2] ?? "");
    // BIP-21: what is required and not understood forbids to pay.
    if (!found || [...query.keys()].some((key) => /^req-/i.test(key))) return;
    address.input.value = found[1];
    const asked = query.get("amount");
    if (asked) [sum.input.value, unit.input.value] = [asked, "BTC"];
  });
  return {
    element: h("fieldset.card.payee-fields", h("legend.visually-hidden", "Payee"),
      address.element,
      h("div.pair", sum.element, unit.element),
      remove && actions(button("Remove this payee", remove, { class: "quiet", "data-action": "remove-payee" }))),
    address: address.input, complain: address.complain,
    // What was typed, or undefined if something is wrong, which is then shown.
    read() {
      const text = address.input.value.trim();
      // A link that was understood has become an address.
      const to = /^bitcoin:/i.test(text) ? "" : text;
      address.complain(to ? ""
        : text ? "This link requires a feature that tapkit does not support: do not pay it." : "Enter an address.");
      if (unit.input.value === "all") return to ? { drain_to: to } : undefined;
      const sat = satoshis(sum.input.value.trim(), unit.input.value);
      sum.complain(sat ? "" : "Enter an amount such as 0.001, with at most 8 decimals (sat: none).");
      return to && sat ? { address: to, amount_sat: sat } : undefined;
    },
  };
}

// A typed amount in satoshis: digits are moved, nothing is rounded. Undefined if it is none.
function satoshis(text, unit) {
  const [, whole, decimals = ""] = /^(\d{1,16})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined || (unit === "sat" && decimals)) return undefined;
  const sat = Number(unit === "sat" ? whole : whole + decimals.padEnd(8, "0"));
  return Number.isSafeInteger(sat) && sat > 0 ? sat : undefined;
}

function orderOf(payees, fee) {
  const read = payees.map((payee) => payee.read());
  const rate = fee.params();
  if (read.includes(undefined) || !rate) return undefined;
  const drains = read.filter((payee) => payee.drain_to);
  if (drains.length > 1) {
    payees.at(-1).complain("Only one payee can get everything else.");
    return undefined;
  }
  const to = read.filter((payee) => !payee.drain_to);
  return { to: to.length ? to : undefined, ...drains[0], ...rate };
}

export default { title: "Pay", render };
