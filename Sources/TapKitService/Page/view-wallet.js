// One wallet.
import { h, replace } from "./dom.js";
import { amount, counted, moment, shorten, unconfirmed } from "./format.js";
import { call } from "./rpc.js";
import { state, watch } from "./state.js";
import { actions, details, errorNotice, faint, grouped, hint, link, money, notice, row, rows, section,
  unfolding } from "./parts.js";
import { plotElement } from "./plot.js";
import { pathsElement } from "./policy.js";
import { runServerTask, taskButton } from "./task.js";
import { storedList } from "./stored-list.js";
import { historyList, labelElement } from "./wallet-history.js";
import { receiveSection } from "./wallet-receive.js";
import { alteredNotice, isAltered, registrationSection } from "./wallet-registrations.js";

const news = ["wallet_synchronized", "wallet_changed", "transaction_sent", "transaction_stored", "transaction_deleted"];
const open = ["unsigned", "partial", "complete"];

async function render(main, name, signal) {
  const [head, task, known] = [h("div.stack"), h("div"), h("div.stack")];
  const sync = taskButton("Synchronize", "sync", async () => {
    if (await runServerTask(task, "Asking the server…", "wallet.sync", { wallet: name }, { signal })) await load();
  });
  const buttons = actions(
    link("Pay", `#/pay/${encodeURIComponent(name)}`, { class: "button primary", "data-action": "pay" }), sync);
  const [receive, registrations] = [receiveSection, registrationSection].map((make) => make(name, signal));
  replace(main, h("p", link("All wallets", "#/wallets", { "data-action": "back" })), h("h1", name), head, buttons, task,
    receive, known, registrations.element);

  async function load() {
    let wallet;
    try {
      wallet = await call("wallet.show", { wallet: name, offline: true });
    } catch (error) {
      replace(main, h("h1", name), errorNotice(error), h("p", link("All wallets", "#/wallets")));
      return;
    }
    const history = wallet.synced === undefined ? null
      : await call("wallet.history", { wallet: name, offline: true }).catch((error) => ({ error }));
    if (signal.aborted) return;
    registrations.show(wallet);
    buttons.hidden = receive.hidden = isAltered(wallet);
    replace(head, buttons.hidden && alteredNotice(wallet, signal), balance(wallet),
      history?.transactions && wallet.knows_history && plotElement(history.transactions, wallet.network));
    // What is typed or unfolded stays.
    const next = JSON.stringify([wallet, history, state.transactions]);
    if (next === known.drawn || known.querySelector("input")) return;
    known.drawn = next;
    replace(known, payments(name), wallet.utxos && coins(wallet), history && past(wallet, history),
      wallet.paths && section("policy", "Who can spend", pathsElement(wallet.paths)), descriptors(wallet));
  }

  watch((event) => {
    if (news.includes(event?.event)) load();
  }, signal);
  await load();
}

function balance(wallet) {
  if (wallet.synced === undefined) {
    return notice("info", "Not synchronized yet.",
      "Synchronize to see what it has. The chain server learns all its addresses.");
  }
  return h("div.balance", { "data-balance": wallet.confirmed_sat },
    h("p.total", amount(wallet.confirmed_sat, wallet.network)),
    unconfirmed(wallet) && h("p", { "data-unconfirmed": wallet.unconfirmed_sat }, unconfirmed(wallet)),
    h("p.faint", `At height ${wallet.height}, according to ${wallet.server}, ${moment(wallet.synced)}.`),
    wallet.knows_history ? null : notice("info", "This server reports only unspent coins.",
      "Used and emptied addresses look new, and the history is not complete."));
}

function payments(name) {
  const waiting = state.transactions.filter((transaction) => transaction.wallet === name
    && open.includes(transaction.state));
  if (waiting.length === 0) return null;
  return section("payments", "Not sent yet", storedList(waiting));
}

function coins(wallet) {
  const element = (coin) => row({},
    [coin.address ? h("span", grouped(coin.address)) : "script", labelElement(wallet, coin.outpoint, coin.label)],
    [money(coin.amount_sat, wallet.network),
      faint([coin.confirmed ? `height ${coin.height}` : "unconfirmed", coin.change && "change",
        coin.frozen && "frozen by its label", ...(coin.openings ?? []).map(opening)].filter(Boolean).join(" · ")),
      coin.spent_by && link(`spent by ${shorten(coin.spent_by)}`, `#/sign/${coin.spent_by}`)]);
  return section("coins", "Coins", wallet.utxos.length === 0 ? hint("None.")
    : unfolding(counted(wallet.utxos.length, "unspent coin"), () => rows("coins", wallet.utxos.map(element))));
}

const opening = ({ path, blocks, opens_at: at }) => `path ${path} ${blocks === 0 ? "is open"
  : blocks ? `opens in ${counted(blocks, "block")}`
  : new Date(at) < new Date() ? "is probably open" : `opens around ${at.slice(0, 10)}`}`;

function past(wallet, history) {
  if (history.error) return section("history", "History", errorNotice(history.error, "warning"));
  const stored = new Set(state.transactions.map((transaction) => transaction.id));
  return section("history", "History", history.transactions.length === 0 ? hint("Nothing yet.")
    : historyList(wallet, history.transactions, (txid) => stored.has(txid)));
}

function descriptors(wallet) {
  return section("descriptors", "Descriptors", details("For other programs, and as a backup of the wallet",
    wallet.descriptors.map((text) => h("p", h("code.long", text)))));
}

export default { title: "Wallet", render };
