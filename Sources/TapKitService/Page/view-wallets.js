// The wallets with their balances, and a way to add the card's.
import { h, replace } from "./dom.js";
import { amount, moment } from "./format.js";
import { state, watch } from "./state.js";
import { button, field, link } from "./parts.js";
import { once } from "./server-task.js";
import { runTask } from "./task.js";

function render(main) {
  const control = new AbortController();
  const list = h("div");
  const show = () => replace(list, state.wallets.length ? walletList(state.wallets)
    : h("p", { class: "hint" },
      "None yet. A wallet watches your card's account: it shows what you have, and builds payments."));
  replace(main, h("h1", "Wallets"), list, addForm(control.signal));
  show();
  const stop = watch(show);
  return () => {
    stop();
    control.abort();
  };
}

function walletList(wallets) {
  return h("ul", { class: "rows card", "data-list": "wallets" }, wallets.map((wallet) => h("li", {
    class: "row", "data-wallet": wallet.name,
  },
  h("span", { class: "row-main" }, link(wallet.name, walletLink(wallet), { "data-action": "open" }),
    h("span", { class: "faint" },
      wallet.synced === undefined ? "Not synchronized yet" : `As of ${moment(wallet.synced)}`)),
  wallet.confirmed_sat !== undefined && h("span", { class: "row-side" },
    h("strong", { class: "amount" }, amount(wallet.confirmed_sat, wallet.network)),
    wallet.unconfirmed_sat
      ? h("span", { class: "faint" }, `${amount(wallet.unconfirmed_sat, wallet.network)} unconfirmed`) : null))));
}

const walletLink = ({ name }) => `#/wallet/${encodeURIComponent(name)}`;

function addForm(signal) {
  const name = field("Name", h("input", { autocomplete: "off", maxlength: "64", "data-field": "wallet-name" }),
    "For your own lists, such as savings.");
  const task = h("div");
  const add = once(button("Add the card's wallet", null, { class: "primary", "data-action": "add-wallet" }),
    async () => {
    const text = name.input.value.trim();
    name.complain(text ? "" : "Give the wallet a name first.");
    if (!text) return;
    const wallet = await runTask(task, "wallet.add", { name: text }, { title: "Reading the card's account", signal });
    if (wallet) location.hash = walletLink(wallet);
  });
  return h("section", { class: "card narrow", "aria-labelledby": "add-title" },
    h("h2", { id: "add-title" }, "Add a wallet"),
    h("p", "It watches the account of the card on the reader, which signs what is paid from it."),
    name.element, h("div", { class: "actions" }, add), task);
}

export default { title: "Wallets", render };
