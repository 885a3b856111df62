// Receiving: the next address, and the card's proof of it.
import { announce, focusOn, h, isLost, replace } from "./dom.js";
import { asks, call } from "./rpc.js";
import { actions, copyButton, facts, grouped, notice, section } from "./parts.js";
import { paymentCode } from "./qr.js";
import { runServerTask, runTask, taskButton } from "./task.js";
import { watch } from "./state.js";

const remarkWords = {
  may_be_used: "This address, or a later one, was used before.",
  far: "This address is so far after the last used one that most wallets do not look for it.",
  claimed: "Only the server says that the addresses before this one were used.",
  may_be_emptied: "This server reports only unspent coins: the address may have been used and emptied.",
  as_of_last_sync: "The address was unused when the server was last asked.",
  not_synced: "No chain server was asked: the address may have been used.",
  keys_not_verified: "Not all its keys are verified.",
  not_registered: "Not registered with every card used.",
};
const used = "may_be_used";

export function receiveSection(name, signal) {
  const [shown, task] = [h("div"), h("div")];
  let current;

  async function show(address) {
    current = address;
    const code = await paymentCode(address.uri, `QR code of the address ${address.address}`);
    if (current !== address) return;
    replace(shown, h("div.receive", { "data-address": address.address },
      code, h("div.receive-text", h("p", grouped(address.address)),
        actions(copyButton(address.address, "Copy the address")),
        proofNotice(address),
        (address.remarks ?? []).map((remark) =>
          notice(remark === "as_of_last_sync" ? "info" : "warning", remarkWords[remark] ?? remark)),
        facts([["Path", address.path]]))),
    actions(address.verified === undefined && proveButton(),
      anotherButton("Another address", () => next(current.index + 1))));
    start.remove();
    if (isLost()) focusOn(shown.firstChild);
  }

  const proveButton = () => taskButton("Prove it with the card", "prove-address", async () => {
    const proven = await runTask(task, "wallet.receive", { wallet: name, index: current.index, verify: true },
      { title: "Proving the address", signal });
    if (proven) await show(proven);
  }, "primary");
  const anotherButton = (text, action) => taskButton(text, "another-address", action);

  async function next(index) {
    const address = await runServerTask(task, "Looking for an unused address…", "wallet.receive",
      { wallet: name, index, asks: asks() }, { signal });
    if (address) await show(address);
  }

  // An address that was paid meanwhile must not be given to anybody else.
  watch(async (event) => {
    const asked = current;
    if (event?.event !== "wallet_synchronized" || !asked || asked.remarks?.includes(used)) return;
    const now = await call("wallet.receive", { wallet: name, index: asked.index }).catch(() => ({}));
    if (current !== asked || !now.remarks?.includes(used)) return;
    current = undefined;
    const text = "This address, or a later one, has been paid.";
    replace(shown, notice("info", text, actions(anotherButton("Show another", () => next()))));
    announce(text);
  }, signal);

  const start = taskButton("Show an address", "receive", () => next(), "primary");
  return section("receive", "Receive", actions(start), task, shown);
}

function proofNotice({ verified, registered, ident, verified_keys: keys }) {
  const element = verified === undefined
    ? notice("warning", "No card has proven this address yet.",
      "Have your card prove it before you give it to a payer.")
    : registered ? notice("ok", "Verified: the wallet is as your card registered it.")
    : verified
      ? notice("ok", "Verified: nobody can spend from it without your card.",
        keys > 1 ? `${keys} cards proved that they have its keys.` : `${ident} proved that it has its key.`)
      : notice("danger", "Others can spend from this address without the cards that proved their keys.");
  element.dataset.verified = verified ?? "unknown";
  return element;
}
