// Review and sign: a PSBT, or a stored transaction; then send it, or raise its fee.
import { h, replace } from "./dom.js";
import { counted, moment, shorten } from "./format.js";
import { asks, call } from "./rpc.js";
import { state, watch } from "./state.js";
import { actions, button, details, download, errorNotice, grouped, hint, link, notice, section } from "./parts.js";
import { feeFields } from "./fee-fields.js";
import { reviewElement } from "./review.js";
import { runServerTask, taskButton } from "./task.js";
import { runSigning } from "./sign-run.js";
import { stateWords, storedList, walletLink } from "./stored-list.js";
import { textSource } from "./text-source.js";

const listed = 50;

async function render(main, id, signal) {
  const place = h("div.stack");
  replace(main, h("h1", "Review and sign"), place);
  if (id) return showSubject(place, { id }, signal);
  const list = h("div");
  const showList = () => replace(list,
    state.transactions.length ? storedList(state.transactions.slice(0, listed))
      : hint("None. What is built or signed is kept here."),
    state.transactions.length > listed
      && hint(`The newest ${listed} of ${state.transactions.length}.`));
  replace(place, textSource(main, {
    name: "psbt", what: "PSBT", hint: "Nothing is signed before you agree.", form: ", as Base64 or hexadecimal",
    action: ["review", "Show what it does"], advice: "Choose a PSBT of version 0 or 2.",
  }, async (text) => {
    const psbt = text.replace(/\s+/g, "");
    const review = await call("review", { psbt }, { signal });
    await showSubject(place, { psbt }, signal, { ...review, psbt });
  }), section("stored", "Stored transactions", list));
  showList();
  watch(showList, signal);
}

const news = ["transaction_sent", "transaction_confirmed", "transaction_replaced", "transaction_restored",
  "transaction_overtaken", "transaction_deleted"];

// One transaction: a PSBT that is not stored yet, or a stored one.
async function showSubject(place, subject, signal, first) {
  const [review, buttons] = [h("div.card"), h("div.actions")];
  const [task, outcome] = [h("div.outcome"), h("div.outcome", { tabindex: "-1" })];
  const more = h("div");
  replace(place, h("p", link("All transactions", "#/sign", { "data-action": "back", onclick: back })), review, outcome,
    task, buttons, more);
  let shown;
  watch((event) => {
    if (news.includes(event?.event) && event.id === subject.id && !buttons.hidden) load();
  }, signal);

  // The link is to where the page is already, as long as nothing is stored.
  function back(event) {
    if (location.hash !== "#/sign") return;
    event.preventDefault();
    dispatchEvent(new HashChangeEvent("hashchange"));
  }

  async function load(document) {
    try {
      shown = document ?? await call("transaction.show", { id: subject.id, offline: true });
    } catch (error) {
      replace(review, errorNotice(error));
      replace(buttons);
      return;
    }
    replace(review, subject.id && storedFacts(shown), reviewElement(shown));
    replace(buttons, mainAction(), ...saveButtons(shown));
    replace(more, shown.state === "sent" && bumpForm());
  }

  function mainAction() {
    if (shown.findings.some((finding) => finding.severity === "refusal")) return null;
    const hasSome = shown.signed_by.length > 0 && shown.missing > 0;
    switch (shown.state ?? "unsigned") {
      case "unsigned":
      case "partial":
        return taskButton(hasSome ? "Continue signing" : "Sign", "sign", sign, "primary");
      case "complete": return taskButton("Send", "send", send, "primary");
      case "sent": return taskButton("Check for confirmations", "check", check);
      default: return null;
    }
  }

  async function sign() {
    replace(outcome);
    buttons.hidden = true;
    const result = await runSigning(task, subject.id ? { id: subject.id } : { psbt: subject.psbt }, signal);
    buttons.hidden = false;
    // What was signed before something went wrong is stored, and shown.
    if (signal.aborted || !result && !subject.id) return;
    if (result?.id) {
      subject.id = result.id;
      history.replaceState(null, "", `#/sign/${result.id}`);
    } else if (result) {
      subject.psbt = result.psbt;
    }
    await load(subject.id ? undefined : { ...shown, ...result });
    if (result?.complete) replace(task);
    if (result) tell(signedNotice(result));
  }

  async function send() {
    replace(outcome);
    buttons.hidden = true;
    const sent = await runServerTask(task, "Sending…", "send", { id: subject.id, asks: asks() }, { signal });
    buttons.hidden = false;
    if (!sent) return;
    await load();
    tell(notice("ok", `Sent through ${sent.server}.`, h("p", grouped(sent.txid))));
  }

  // What came of it, where a screen reader continues: the button may be gone.
  function tell(result) {
    replace(outcome, result);
    outcome.focus();
  }

  async function check() {
    // What belongs to a wallet is followed with the wallet.
    const { wallet } = shown;
    const [method, params] = wallet ? ["wallet.sync", { wallet }] : ["transaction.show", { id: subject.id }];
    const found = await runServerTask(task, "Asking the server…", method, params, { signal });
    if (found) await load(wallet ? undefined : found);
  }

  function bumpForm() {
    const fee = feeFields();
    const bump = taskButton("Make a transaction with a higher fee", "bump", async () => {
      const params = fee.params();
      if (!params) return;
      const made = await runServerTask(task, "Building…", "transaction.bump", { id: subject.id, ...params },
        { signal });
      if (made) location.hash = `#/sign/${made.id}`;
    });
    return details("Raise the fee",
      hint("It pays the same payees. Sign and send it like any other; only one of the two can be confirmed."),
    fee.element, actions(bump));
  }

  await load(first);
}

function storedFacts(shown) {
  const parts = [
    h("span", { class: `state state-${shown.state}`, "data-state": shown.state },
      stateWords[shown.state] ?? shown.state),
    shown.state === "confirmed" && counted(shown.confirmations, "confirmation"),
    shown.replaced_by && h("span", "by ", link(shorten(shown.replaced_by), `#/sign/${shown.replaced_by}`)),
    shown.wallet && h("span", "wallet ", link(shown.wallet, walletLink(shown.wallet))),
    shown.note && `“${shown.note}”`,
    shown.sent ? `sent ${moment(shown.sent)}` : `stored ${moment(shown.created)}`,
  ];
  return h("p.stored", { "data-facts": "stored" },
    parts.filter(Boolean).map((part) => [h("span", part), " "]));
}

export function saveButtons({ id, psbt, tx, txid }) {
  const base64OfHex = (hex) => btoa(hex.replace(/../g, (byte) => String.fromCharCode(parseInt(byte, 16))));
  return [
    psbt && button("Save the PSBT",
      () => download(`${(id ?? txid).slice(0, 12)}.psbt`, /^[0-9a-fA-F]+$/.test(psbt) ? base64OfHex(psbt) : psbt),
      { "data-action": "save-psbt" }),
    tx && button("Save the transaction", () => download(`${txid.slice(0, 12)}.txn`, btoa(tx)),
      { "data-action": "save-transaction" }),
  ];
}

function signedNotice({ id, complete, missing, incomplete, signers, simulated }) {
  const by = signers.map((signer) => `${signer.ident}: ${counted(signer.signed, "input")} signed`).join("; ");
  const mark = simulated ? " A SIMULATED card signed." : "";
  if (complete) return notice("ok", `Signed; no signature is missing.${mark}`, by);
  const title = `${counted(missing, "signature")} ${missing === 1 ? "is" : "are"} missing.${mark}`;
  return notice("warning", title, by, incomplete?.message,
    incomplete?.hint
      || `${id ? "What was signed is stored. " : ""}Put a card that can sign on the reader, and continue.`);
}

export default { title: "Review and sign", render };
