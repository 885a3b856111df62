// A SATSCARD: its slots, the address to pay to, the next slot's key, and the sweep.

import { focusOn, h, icon, replace } from "./dom.js";
import { call } from "./rpc.js";
import { actions, button, check, copyButton, errorNotice, facts, field, form, grouped, link, notice, section,
  textInput } from "./parts.js";
import { amount, counted, doubtfulKey } from "./format.js";
import { cardOn, follow } from "./cards.js";
import { agree } from "./dialogs.js";
import { feeFields } from "./fee-fields.js";
import { paymentCode } from "./qr.js";
import { runTask } from "./task.js";
import { saveButtons } from "./view-sign.js";
import { printedCode, unprovenAddress } from "./words.js";

const signs = { sealed: "ok", unsealed: "warning", unused: "card" };

function holds(slot, network) {
  if (slot.confirmed_sat === undefined) return undefined;
  if (!slot.utxos?.length) return slot.unconfirmed_sat === undefined ? "nothing confirmed" : "nothing";
  const waiting = slot.unconfirmed_sat > 0 ? `, ${amount(slot.unconfirmed_sat, network)} unconfirmed` : "";
  return `${amount(slot.confirmed_sat, network)}${waiting} in ${counted(slot.utxos.length, "coin")}`;
}

// Ten slots as a picture; the one that is chosen is explained below it.
function slotsElement(document, status, shown, choose) {
  const isActive = ({ slot }) => slot === status.active_slot;
  return h("ul.slots", { "aria-label": "Slots" }, document.slots.map((slot) => {
    const state = slot.state === "unsealed" ? "UNSEALED" : slot.state;
    const use = isActive(slot) && { unused: "next", sealed: "in use" }[slot.state];
    const sum = slot.confirmed_sat > 0 ? amount(slot.confirmed_sat, status.network)
      : slot.unconfirmed_sat > 0 && "unconfirmed coins";
    return h("li", h("button", {
      type: "button", class: "slot", "data-slot": slot.slot, "data-state": slot.state, "data-active": isActive(slot),
      "aria-label": `Slot ${slot.slot}: ${[state, use, sum].filter(Boolean).join(", ")}`, "aria-pressed": String(slot.slot === shown),
      onclick: () => choose(slot.slot),
    }, h("span.slot-number", slot.slot), icon(signs[slot.state]), h("span", state), h("strong", use), sum && h("span", sum)));
  }));
}

function slotElement(slot, network) {
  const { state, address, seal_verified: isProven } = slot;
  const words = {
    unused: "It has no key yet.",
    sealed: isProven ? "Sealed: nobody has seen its key. Proven by the card."
      : "Sealed, according to the card; its version cannot prove it.",
    unsealed: "UNSEALED: do not pay to it. Anyone who has seen its key can take the money.",
  };
  return h("div", { "data-shown-slot": slot.slot }, h("h3", `Slot ${slot.slot}`),
    facts([["State", words[state]],
      // The address to pay to is shown after its proofs.
      ["Address", address && (state === "unsealed" || isProven)
        && [grouped(address), slot.verified ? "" : " (according to the card)"]],
      ["Holds", holds(slot, network)],
    ]));
}

function depositElement({ slot, address, verified, seal_verified: isSealed }, status, isAgreed, show) {
  if (!(verified && isSealed || isAgreed)) {
    return [notice("warning", unprovenAddress), actions(button("Show the address anyway", async () => {
      if (await agree(`Show the address of slot ${slot} anyway?`, "Show it", h("p", unprovenAddress))) show();
    }, { "data-action": "show-unproven" }))];
  }
  const place = h("div");
  paymentCode(`bitcoin:${address}`, `QR code of the address of slot ${slot}`)
    .then((element) => replace(place, element));
  return [isAgreed ? notice("warning", unprovenAddress)
    : notice("ok",
      `The address of slot ${slot}, proven by the card: its certificates, its key, the slot's key and the seal.`),
  status.active_slot > 1 && notice("info", printedCode),
  h("div.pay", { id: "deposit", "data-address": address },
    place, grouped(address), copyButton(address, "Copy the address"))];
}

function nextSlotElement(slot, reader, done, signal) {
  const place = h("div");
  const start = button(`Set up slot ${slot.slot}`, async () => {
    const options = { title: `Slot ${slot.slot}`, signal, busy: [start] };
    const result = await runTask(place, "card.setup", cardOn(reader), options);
    if (result) done(notice("ok", `Slot ${result.slot} ${result.seal_verified ? "is sealed and can be paid to."
      : "has a key, according to the card."}`, result.key_of_interrupted_setup && doubtfulKey));
  }, { class: "primary" });
  return [h("p", "The card picks a key with a random chain code from this machine, and proves that."),
    actions(start), place];
}

function sentElement(result, network) {
  const { sent: isSent = false, txid, id, incomplete, not_sent: notSent } = result;
  const title = isSent ? "The sweep was sent." : !result.complete ? "Signatures are missing."
    : `The sweep is signed${notSent ? ". No server acknowledged it; it may have been sent." : ", and not sent."}`;
  const element = notice(isSent ? "ok" : "warning", title, (incomplete ?? notSent)?.message,
    facts([["Transaction", txid && h("code", txid)], ["Fee", amount(result.fee_sat, network)]]),
    actions(txid && copyButton(txid, "Copy the id"),
      !isSent && (id ? link("Look at it, and send it", `#/sign/${id}`, { class: "button" }) : saveButtons(result))));
  element.id = "sweep-result";
  Object.assign(element.dataset, { sent: isSent, txid: txid ?? "" });
  return element;
}

function sweepElement(sealed, unsealed, network, reader, done, signal) {
  const to = field("Send everything to",
    textInput({ id: "sweep-to" }),
    "It is checked, and shown again before anything is signed.");
  const choices = [
    unsealed.length > 0 && ["", `Unsealed slots (${unsealed.map(({ slot }) => slot).join(", ")})`],
    sealed && ["all", `Everything. This permanently unseals slot ${sealed.slot}.`],
    ...unsealed.map(({ slot }) => [slot, `Only slot ${slot}`]),
    sealed && unsealed.length > 0 && [sealed.slot, `Only slot ${sealed.slot}, which is permanently unsealed`],
  ];
  const which = field("Slots", h("select", { id: "sweep-slots" },
    choices.filter(Boolean).map(([value, text]) => h("option", { value: String(value) }, text))));
  const fee = feeFields();
  const unconfirmed = check("Include unconfirmed coins");
  const send = check("Send it right away", { checked: true });
  const place = h("div");
  const start = h("button", { type: "submit", class: "primary", id: "sweep-start" }, "Review the sweep");
  async function submit() {
    const address = to.input.value.trim();
    const rate = fee.params();
    to.complain(address ? "" : "Enter the address that gets everything.");
    if (!address || !rate) return;
    const { value } = which.input;
    const result = await runTask(place, "sweep", {
      ...cardOn(reader), ...rate, to: address, broadcast: send.input.checked, unconfirmed: unconfirmed.input.checked,
      ...(value && (value === "all" ? { all: true } : { slot: Number(value) })),
    }, { title: "Sweep", signal, busy: [start] });
    if (result) done(sentElement(result, network));
  }
  return [h("p", "The card signs a transaction that sends everything away."),
  form({ id: "sweep-form" }, submit,
    to.element, which.element, fee.element, unconfirmed.element, send.element, actions(start)), place];
}

async function render(main, ident, signal) {
  const parts = [["slots", "Slots"], ["pay-to", "Pay to this card"], ["further", "Set up a slot"], ["sweep", "Sweep"]]
    .map(([id, title]) => {
      const place = h("div.stack");
      const element = section(id, title, place);
      const put = (content) => {
        element.hidden = !content;
        replace(place, content);
      };
      put();
      return { element, place, put };
    });
  const [picture, deposit, further, sweep] = parts;
  const head = h("div.stack");
  const news = h("div");
  let reader;
  let slots;
  let shown;
  let isAgreed = false;
  let turn = 0;

  const active = () => slots.slots.find(({ slot }) => slot === reader.status.active_slot);

  function drawPicture() {
    const { network } = reader.status;
    const slot = slots.slots.find((one) => one.slot === shown) ?? slots.slots[0];
    const focused = document.activeElement?.dataset?.slot;
    picture.put([
      slotsElement(slots, reader.status, slot.slot, (number) => {
        shown = number;
        drawPicture();
      }),
      slotElement(slot, network),
      slots.total_sat !== undefined && h("p", { id: "total" },
        h("span.total", amount(slots.total_sat, network)), ` in all, according to ${slots.server}`),
      actions(
        button(slots.server ? "Ask for balances again" : "Ask for balances", () => load(true), { id: "balances" })),
      h("p.hint", "The chain server learns that the slots belong together, as it does in a sweep.")]);
    if (focused) picture.place.querySelector(`[data-slot="${focused}"]`)?.focus();
  }

  function drawDeposit() {
    const slot = active();
    deposit.put(slot?.state === "sealed" && slot.address && !reader.status.tampered
      && depositElement(slot, reader.status, isAgreed, () => {
        isAgreed = true;
        drawDeposit();
      }));
  }

  function draw() {
    const { status } = reader;
    if (!slots.slots.some(({ slot }) => slot === shown)) shown = status.active_slot;
    drawPicture();
    drawDeposit();
    const done = (element) => {
      replace(news, element);
      focusOn(news);
      load(false);
    };
    const slot = active();
    further.put(slot?.state === "unused" && !status.tampered && nextSlotElement(slot, reader, done, signal));
    const sealed = slots.slots.find(({ state }) => state === "sealed");
    const unsealed = slots.slots.filter(({ state }) => state === "unsealed");
    sweep.put((sealed || unsealed.length > 0)
      && sweepElement(sealed, unsealed, status.network, reader, done, signal));
  }

  async function load(balance) {
    const mine = ++turn;
    const place = h("p.waiting", balance ? "Asking the chain server…" : "Reading the slots…");
    if (slots) picture.place.append(place);
    else picture.put(place);
    try {
      const answer = await call("slots", { ...cardOn(reader), balance, wait_s: 60 }, { signal });
      if (mine !== turn) return;
      slots = answer;
      if (balance) drawPicture();
      else draw();
    } catch (error) {
      if (mine !== turn || signal.aborted) return;
      place.replaceWith(errorNotice(error, "warning"), slots ? "" : actions(button("Try again", () => load(false))));
    }
  }

  function changed(next) {
    if (next?.card.ident !== reader?.card.ident || !next) {
      [slots, shown, isAgreed] = [undefined, undefined, false];
      for (const { put } of parts) put();
      replace(news);
    }
    reader = next;
    if (next) load(false);
  }

  replace(main, h("h1", "SATSCARD"), head, news,
    h("div.columns",
      picture.element, h("div.stack", deposit.element, further.element), sweep.element));
  follow(head, { products: ["satscard"], words: "a SATSCARD", ident, signal }, changed);
}

export default { title: "SATSCARD", render };
