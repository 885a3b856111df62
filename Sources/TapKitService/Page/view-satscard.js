// A SATSCARD: its slots, the address to pay to after its proofs, the next slot's key, and the sweep.

import { h, icon, replace } from "./dom.js";
import { call } from "./rpc.js";
import { button, check, copyButton, errorNotice, facts, field, grouped, link, notice } from "./parts.js";
import { amount, counted, shorten } from "./format.js";
import { cardOn, follow } from "./cards.js";
import { agree } from "./dialogs.js";
import { feeFields } from "./fee-fields.js";
import { qrElement } from "./qr.js";
import { runTask } from "./task.js";
import { printedCode, unprovenAddress } from "./words.js";

const signs = { sealed: "ok", unsealed: "warning", unused: "card" };

// Addresses of this form may be written in capitals, and then take less room in a QR code.
const payment = (address) =>
  /^(bc|tb|bcrt)1/.test(address) ? `BITCOIN:${address.toUpperCase()}` : `bitcoin:${address}`;

function holds(slot, network) {
  if (slot.confirmed_sat === undefined) return undefined;
  if (!slot.utxos?.length) return "nothing";
  const waiting = slot.unconfirmed_sat > 0 ? `, ${amount(slot.unconfirmed_sat, network)} unconfirmed` : "";
  return `${amount(slot.confirmed_sat, network)}${waiting} in ${counted(slot.utxos.length, "coin")}`;
}

// Ten slots as a picture; the one that is chosen is explained below it.
function slotsElement(document, status, shown, choose) {
  const isActive = ({ slot }) => slot === status.active_slot;
  return h("ul", { class: "slots", "aria-label": "Slots" }, document.slots.map((slot) => h("li",
    h("button", {
      type: "button", class: "slot", "data-slot": slot.slot, "data-state": slot.state,
      "data-active": isActive(slot), "aria-pressed": String(slot.slot === shown), onclick: () => choose(slot.slot),
    },
    h("span", { class: "slot-number" }, h("span", { class: "visually-hidden" }, "Slot "), slot.slot), icon(signs[slot.state]),
    h("span", slot.state === "unsealed" ? "UNSEALED" : slot.state),
    isActive(slot) && h("span", { class: "slot-now" }, "in use")))));
}

function slotElement(slot, network) {
  const proof = slot.state === "unused" ? "It has no key yet."
    : slot.state === "sealed"
      ? slot.seal_verified ? "Sealed: nobody has seen its key. Proven by the card." : "Sealed, according to the card; its version cannot prove it."
      : "UNSEALED: do not pay to it. Anyone who has seen its key can take the money.";
  // The address to pay to is shown after its proofs, and one that must not be paid to is not offered for copying.
  const isShown = slot.address && (slot.state === "unsealed" || slot.seal_verified);
  return h("div", { id: "slot-detail", "data-shown-slot": slot.slot }, h("h3", `Slot ${slot.slot}`),
    facts([["State", proof],
      ["Address", isShown && [grouped(slot.address), slot.verified ? "" : " (according to the card)"]],
      ["Holds", holds(slot, network)],
      ["Coins", slot.utxos?.length > 0 && h("ul", { class: "plain" }, slot.utxos.map((coin) =>
        h("li", amount(coin.amount_sat, network), " ", h("code", shorten(coin.outpoint, 10)))))]]));
}

function depositElement(slot, status, isAgreed, show) {
  if (!slot?.address || slot.state !== "sealed" || status.tampered) return null;
  const isProven = slot.verified && slot.seal_verified;
  if (!isProven && !isAgreed) {
    return [h("h2", "Pay to this card"), notice("warning", unprovenAddress),
      h("div", { class: "actions" }, button("Show the address anyway", async () => {
        if (await agree(`Show the address of slot ${slot.slot} anyway?`, "Show it", false, h("p", unprovenAddress))) show();
      }, { "data-action": "show-unproven" }))];
  }
  const place = h("div");
  call("qr", { text: payment(slot.address) }).then(
    (code) => replace(place, qrElement(code, `QR code of the address of slot ${slot.slot}`)),
    (error) => replace(place, errorNotice(error, "warning")));
  return [h("h2", "Pay to this card"),
    isProven ? notice("ok", `The address of slot ${slot.slot}, proven by the card: its certificates, its key, the slot's key and the seal.`)
      : notice("warning", unprovenAddress),
    status.active_slot > 1 && notice("info", printedCode),
    h("div", { class: "pay", id: "deposit", "data-address": slot.address }, place, grouped(slot.address),
      copyButton(slot.address, "Copy the address"))];
}

// Gives the next slot a key. `done` is called when the card has changed.
function nextSlotElement(slot, reader, done, control) {
  const place = h("div");
  const start = button(`Give slot ${slot.slot} a key`, async () => {
    start.disabled = true;
    const result = await runTask(place, "card.setup", cardOn(reader), { title: `Slot ${slot.slot}`, signal: control.signal });
    start.disabled = false;
    if (result) done(notice("ok", `Slot ${result.slot} has a key${result.seal_verified ? ", is sealed and can be paid to." : ", according to the card."}`,
      h("p", result.chain_code_supplied ? "The card picked it with a chain code from this machine." : "Its key is unchanged.")));
  }, { class: "primary", id: "next-slot" });
  return [h("h2", "The next slot"), h("p", "The card picks a key together with a chain code that this machine draws, "
    + "and proves that. Its CVC is needed; it is printed on the card."), h("div", { class: "actions" }, start), place];
}

function sentElement(result, network) {
  const isSent = result.sent === true;
  const title = isSent ? "The sweep was sent." : result.complete ? "The sweep is signed and stored. It was not sent."
    : "The sweep is not complete: signatures are missing.";
  return h("div", { id: "sweep-result", "data-sent": String(isSent), "data-txid": result.txid },
    notice(isSent ? "ok" : "warning", title, result.incomplete && h("p", result.incomplete.message ?? ""),
      facts([["Transaction", result.txid && h("code", { class: "long" }, result.txid)], ["Fee", amount(result.fee_sat, network)]]),
      h("div", { class: "actions" }, result.txid && copyButton(result.txid, "Copy the id"),
        !isSent && result.id && link("Look at it, and send it", `#/sign/${result.id}`, { class: "button" }))));
}

function sweepElement(document, status, reader, done, control) {
  const sealed = document.slots.find(({ state }) => state === "sealed");
  const unsealed = document.slots.filter(({ state }) => state === "unsealed");
  if (!sealed && !unsealed.length) return null;
  const to = field("Send everything to", h("input", { type: "text", class: "mono", id: "sweep-to", autocomplete: "off", spellcheck: "false" }),
    "An address of your own. It is checked, and shown once more before anything is signed.");
  const choices = [
    unsealed.length && ["opened", `What unsealed slots still hold (${unsealed.map(({ slot }) => slot).join(", ")})`],
    sealed && ["all", `Everything. This permanently unseals slot ${sealed.slot}.`],
    ...[...unsealed, sealed].filter((slot) => slot && unsealed.length + (sealed ? 1 : 0) > 1).map(({ slot, state }) =>
      [String(slot), `Only slot ${slot}${state === "sealed" ? ", which is permanently unsealed" : ""}`]),
  ].filter(Boolean);
  const which = field("Slots", h("select", { id: "sweep-slots" }, choices.map(([value, text]) => h("option", { value }, text))));
  const fee = feeFields();
  const unconfirmed = check("Take unconfirmed coins, too", { id: "sweep-unconfirmed" });
  const send = check("Send it at once", { id: "sweep-send", checked: true });
  const place = h("div");
  const start = h("button", { type: "submit", class: "primary", id: "sweep-start" }, "Review the sweep");
  async function submit(event) {
    event.preventDefault();
    const address = to.input.value.trim();
    to.complain(address ? "" : "Enter the address that gets everything.");
    const rate = fee.params();
    if (!address || !rate) return;
    const slots = which.input.value;
    start.disabled = true;
    const result = await runTask(place, "sweep", {
      ...cardOn(reader), to: address, broadcast: send.input.checked, unconfirmed: unconfirmed.input.checked, ...rate,
      ...(slots === "all" ? { all: true } : slots === "opened" ? {} : { slot: Number(slots) }),
    }, { title: "Sweep", signal: control.signal });
    start.disabled = false;
    if (result) done(sentElement(result, status.network));
  }
  return [h("h2", "Sweep"), h("p", "The card signs a transaction that sends everything away. A chain server is asked what the "
    + "slots hold, and so learns that they belong together."),
  h("form", { onsubmit: submit, novalidate: true, autocomplete: "off", id: "sweep-form" },
    to.element, which.element, fee.element, unconfirmed.element, send.element, h("div", { class: "actions" }, start)), place];
}

async function render(main, ident) {
  const control = new AbortController();
  const [picture, deposit, further, sweep] = ["Slots", "Pay to this card", "The next slot", "Sweep"].map((label) =>
    h("section", { class: "card stack", "aria-label": label, hidden: true }));
  const head = h("div", { class: "stack", id: "satscard-head" });
  const news = h("div", { id: "satscard-news" });
  let reader;
  let slots;
  let shown;
  let isAgreed = false;
  let turn = 0;

  const put = (place, content) => {
    place.hidden = !content;
    replace(place, content);
  };
  const active = () => slots.slots.find(({ slot }) => slot === reader.status.active_slot);

  function drawPicture() {
    const { network } = reader.status;
    const slot = slots.slots.find((one) => one.slot === shown) ?? slots.slots[0];
    const focused = document.activeElement?.dataset?.slot;
    put(picture, [h("h2", "Slots"),
      slotsElement(slots, reader.status, slot.slot, (number) => {
        shown = number;
        drawPicture();
      }),
      slotElement(slot, network),
      slots.total_sat !== undefined && h("p", { id: "total" }, h("span", { class: "total" }, amount(slots.total_sat, network)),
        ` in all, according to ${slots.server}`),
      h("div", { class: "actions" },
        button(slots.server ? "Ask for balances again" : "Ask for balances", () => load(true), { id: "balances" })),
      h("p", { class: "hint" }, "The chain server then learns that these addresses belong together.")]);
    if (focused) picture.querySelector(`[data-slot="${focused}"]`)?.focus();
  }

  function drawDeposit() {
    put(deposit, depositElement(active(), reader.status, isAgreed, () => {
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
      news.scrollIntoView({ block: "nearest" });
      load(false);
    };
    const isUnused = active()?.state === "unused" && !status.tampered;
    put(further, isUnused && nextSlotElement(active(), reader, done, control));
    put(sweep, sweepElement(slots, status, reader, done, control));
  }

  // Asks the card, and the chain server if balances are wanted.
  async function load(balance) {
    const mine = ++turn;
    const place = h("p", { class: "waiting", role: "status" }, balance ? "Asking the chain server…" : "Reading the slots…");
    picture.hidden = false;
    picture.append(place);
    try {
      const answer = await call("slots", { ...cardOn(reader), balance, wait_s: 60 }, { signal: control.signal });
      if (mine !== turn) return;
      slots = answer;
      if (balance) drawPicture();
      else draw();
    } catch (error) {
      if (mine !== turn || control.signal.aborted) return;
      place.replaceWith(h("div", {}, errorNotice(error, "warning"),
        !slots && h("div", { class: "actions" }, button("Try again", (event) => {
          event.target.parentNode.parentNode.remove();
          load(false);
        }))));
    }
  }

  function changed(next) {
    if (next?.card.ident !== reader?.card.ident || !next) {
      [slots, shown, isAgreed] = [undefined, undefined, false];
      for (const place of [picture, deposit, further, sweep]) put(place);
      replace(news);
    }
    reader = next;
    if (next) load(false);
  }

  replace(main, h("h1", "SATSCARD"), head, news,
    h("div", { class: "columns beside" }, picture, h("div", { class: "stack" }, deposit, further), sweep));
  const stop = follow(head, { products: ["satscard"], words: "a SATSCARD", ident }, changed);
  return () => {
    stop();
    control.abort();
  };
}

export default { title: "SATSCARD", render };
