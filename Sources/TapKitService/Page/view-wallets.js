// The wallets with their balances, and a way to add the card's.
import { h, replace } from "./dom.js";
import { amount, moment } from "./format.js";
import { state, watch } from "./state.js";
import { actions, field, form, link, section, textInput } from "./parts.js";
import { faint, hint, money, row, rows } from "./rows.js";
import { taskButton } from "./server-task.js";
import { walletLink } from "./stored-list.js";
import { runTask } from "./task.js";

function render(main) {
  const control = new AbortController();
  const list = h("div", { class: "card" });
  const show = () => replace(list, state.wallets.length ? walletList(state.wallets)
    : hint("None yet. A wallet watches your card's account: it shows what you have, and builds payments."));
  replace(main, h("h1", "Wallets"), list, addForm(control.signal));
  show();
  const stop = watch(show);
  return () => {
    stop();
    control.abort();
  };
}

const walletList = (wallets) => rows("wallets", wallets.map((wallet) => row({ "data-wallet": wallet.name },
  [link(wallet.name, walletLink(wallet.name), { "data-action": "open" }),
    faint(wallet.synced === undefined ? "Not synchronized yet" : `As of ${moment(wallet.synced)}`)],
  wallet.confirmed_sat !== undefined && [money(wallet.confirmed_sat, wallet.network),
    wallet.unconfirmed_sat > 0 && faint(amount(wallet.unconfirmed_sat, wallet.network), " unconfirmed")])));

function addForm(signal) {
  const name = field("Name", textInput({ maxlength: "64", "data-field": "wallet-name" }),
    "For your own lists, such as savings.");
  const task = h("div");
  const add = taskButton("Add the card's wallet", "add-wallet", async () => {
    const text = name.input.value.trim();
    name.complain(text ? "" : "Give the wallet a name first.");
    if (!text) return;
    const wallet = await runTask(task, "wallet.add", { name: text }, { title: "Reading the card's account", signal });
    if (wallet) location.hash = walletLink(wallet.name);
  }, "primary");
  return section("add-wallet", "Add a wallet",
    h("p", "It watches the account of the card on the reader, which signs what is paid from it."),
    form({ class: "narrow" }, () => add.click(), name.element, actions(add)), task,
    hint("For a wallet of several cards: tapkit wallet add NAME --threshold 2 --cards 3 --wait"));
}

export default { title: "Wallets", render };
