// The wallets, their balances, and ways to add one.
import { h, replace } from "./dom.js";
import { moment, unconfirmed } from "./format.js";
import { refresh, state, watch } from "./state.js";
import { call } from "./rpc.js";
import { actions, details, faint, field, form, hint, link, money, row, rows, section, textInput } from "./parts.js";
import { runTask, taskButton } from "./task.js";
import { walletLink } from "./stored-list.js";
import { textSource } from "./text-source.js";

function render(main, _, signal) {
  const list = h("div.card");
  const show = () => replace(list, state.wallets.length ? walletList(state.wallets)
    : hint("None yet. A wallet watches your card's account: it shows what you have, and builds payments."));
  replace(main, h("h1", "Wallets"), list, addForm(main, signal));
  show();
  watch(show, signal);
  refresh();
}

const walletList = (wallets) => rows("wallets", wallets.map((wallet) => row({ "data-wallet": wallet.name },
  [link(wallet.name, walletLink(wallet.name), { "data-action": "open" }),
    wallet.altered && h("strong", "Altered: do not use it"),
    faint(wallet.synced === undefined ? "Not synchronized yet" : `As of ${moment(wallet.synced)}`)],
  wallet.confirmed_sat !== undefined && [money(wallet.confirmed_sat, wallet.network),
    unconfirmed(wallet) && faint(unconfirmed(wallet))])));

function addForm(place, signal) {
  const name = field("Name", textInput({ maxlength: "64", "data-field": "wallet-name" }),
    "For your own lists, such as savings.");
  const task = h("div");
  const typed = () => {
    const text = name.input.value.trim();
    name.complain(text ? "" : "Give the wallet a name first.");
    return text && { name: text };
  };
  const open = (wallet) => { if (wallet) location.hash = walletLink(wallet.name); };
  const add = taskButton("Add the card's wallet", "add-wallet", async () => {
    const params = typed();
    if (params) open(await runTask(task, "wallet.add", params, { title: "Reading the card's account", signal }));
  }, "primary");
  const source = textSource(place, {
    name: "wallet", what: "Registration", hint: "It has the wallet's name in it.", form: ", or a descriptor",
    action: ["add-described", "Add this wallet"], fills: true,
    advice: "A descriptor has public keys only; one for change may be on a second line.",
  }, async (given) => {
    const [descriptor, ...change] = given.split(/\s*\n/).filter((line) => !line.startsWith("#"));
    const params = given.startsWith("cmRlc2") ? { registration: given }
      : typed() && { ...typed(), descriptor, change: change.join("\n") || undefined };
    if (params) open(await call("wallet.add", params, { signal }));
  });
  return section("add-wallet", "Add a wallet",
    "It watches the account of the card on the reader, which signs what is paid from it.",
    form({ class: "narrow" }, () => add.click(), name.element, actions(add)), task,
    details("Instead, from its registration or its descriptor", source),
    hint("For a wallet of several cards: tapkit wallet add NAME --threshold 2 --cards 3 --wait"));
}

export default { title: "Wallets", render };
