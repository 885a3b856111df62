// What a card is, from the answer of card.prove, and what to do with it next.

import { h } from "./dom.js";
import { errorNotice, facts, grouped, link, notice } from "./parts.js";
import { cardTitle, counted, moment, shorten } from "./format.js";
import { isAccepted } from "./state.js";
import { printedCode } from "./words.js";

// Errors that say that the card is not what it claims to be, whatever else could be wrong.
export const alarms = ["bad_proof", "not_genuine", "altered_signature", "forged_link", "tampered"];

// Big, as nothing else matters then.
const alarm = (title, ...text) => {
  const element = notice("danger", title, text.map((line) => h("p", line)));
  element.classList.add("big");
  return element;
};

function genuineness(status) {
  const simulated = status.simulated ? " (the simulator's)" : "";
  if (status.genuine) return notice("ok", "Genuine: certified by the maker's factory.");
  if (status.root === "custom") {
    return notice("warning", status.simulated ? "SIMULATED: a card for trying things out. Do not use it with real money."
      : "Not the maker's: certified by a root that you accept.",
    h("p", `It proved that it is certified by a root that you accept${simulated}.`));
  }
  return status.root === "development"
    ? alarm("NOT GENUINE: a development card.", "Do not pay to it, and do not enter a CVC for it.")
    : alarm("NOT GENUINE: do not use this card.",
      `It is certified by an unknown root${simulated}: ${status.root_key ?? "none"}.`,
      "Do not pay to it, and do not enter a CVC for it. Money on it may belong to whoever made it.");
}

const flows = {
  setup: ["Setup was interrupted.", "Continue the setup", "#/setup/"],
  backup: ["A backup was interrupted, and may not be saved.", "Make the backup", "#/setup/"],
  "change-cvc": ["A change of the CVC was interrupted: the card has either the old or the new one.", null],
  derive: ["A move to another path was interrupted.", null],
  unseal: ["Unsealing a slot was interrupted; its key was not shown.", "Sweep", "#/satscard/"],
  "next-slot": ["Setting up a slot was interrupted.", "Continue the setup", "#/satscard/"],
  sign: ["Signing was interrupted; what was signed is stored.", "Continue signing", "#/sign"],
};

function unfinished(status) {
  return status.unfinished.map(({ flow, since, message }) => {
    const [text, act, href] = flows[flow] ?? [message ?? `Not finished: ${flow}.`];
    const element = notice("warning", text, h("p", `Since ${moment(since)}.`),
      act ? h("p", link(act, href.endsWith("/") ? href + status.ident : href, { class: "button", "data-next": flow }))
        : h("p", { class: "hint" }, `The command finishes it: tapkit ${flow}.`));
    element.dataset.unfinished = flow;
    return element;
  });
}

export function condition(status) {
  if (status.product !== "satscard") return status.set_up ? "Set up" : "Not set up yet: the card has no key";
  const words = {
    sealed: status.seal_verified === false ? "sealed, according to the card (its version cannot prove it)" : "sealed",
    unused: "unused", unsealed: "UNSEALED: the card is used up",
  };
  return `Slot ${status.active_slot} of ${status.slots}, ${words[status.slot_state] ?? "unused or unsealed"}`;
}

function next(status) {
  const go = (text, href, isFirst) =>
    link(text, href, { class: `button${isFirst ? " primary" : ""}`, "data-next": href.slice(2).split("/")[0] });
  const own = (view) => `#/${view}/${status.ident}`;
  if (!isAccepted(status)) return [];
  if (status.product === "satscard") {
    if (status.tampered) return [go("Take the money out", own("satscard"), true)];
    if (status.slot_state === "sealed") {
      return [go("Show the deposit address", own("satscard"), true), go("Sweep", own("satscard"))];
    }
    return status.slot_state === "unused"
      ? [go("Give the next slot a key", own("satscard"), true), status.active_slot > 1 && go("Sweep", own("satscard"))]
      : [go("Look at the slots, and sweep", own("satscard"), true)];
  }
  if (status.tampered) return [go("Move the money: sign", "#/sign", true)];
  if (!status.set_up) return [go("Set up this card", own("setup"), true)];
  if (status.backups === 0) return [go("Back it up", own("setup"), true), go("Sign", "#/sign")];
  return [go("Sign", "#/sign", true), go("Wallets and addresses", "#/wallets"),
    go(status.product === "satschip" ? "CVC" : "Backup and CVC", own("setup"))];
}

export const titleElement = (status, tag) => h(tag, { "data-card-title": status.ident }, cardTitle(status));

// What concerns every task with the card.
export const warnings = (status) => [
  status.tampered && alarm("TAMPERED WITH.", "The card reports that it was tampered with. Do not trust it with money any "
    + "more.", status.product === "satscard" ? "Take the money out, and do not pay to this card." : "Move its money."),
  status.auth_delay_s > 0 && notice("warning", `Locked out after wrong CVCs: ${status.auth_delay_s} s.`,
    h("p", "A task with this card waits that long. Leave the card on the reader.")),
  (status.unsent ?? []).map(({ id }) => notice("warning", `A sweep is signed and not sent: ${shorten(id)}.`,
    h("p", link("Look at it, and send it", `#/sign/${id}`)))),
];

// A card that answered.
export function statusElement(status) {
  const steps = next(status);
  const isBirthKnown = status.birth_height !== undefined;
  return [
    titleElement(status, "h3"), genuineness(status), warnings(status), unfinished(status),
    (status.problems ?? []).map((problem) => errorNotice(problem, "warning")),
    steps.length > 0 && h("div", {}, h("h4", "What next"), h("div", { class: "actions" }, steps)),
    facts([
      ["State", condition(status)],
      ["Account", status.path],
      ["Address", status.address && isAccepted(status) && grouped(status.address)],
      status.active_slot > 1 && ["Printed code", printedCode],
      ["Backups", status.backups !== undefined && `${counted(status.backups, "backup")} made, according to the card`],
      ["Network", status.network === "main" ? "bitcoin" : "the test networks"],
      ["Version", status.version],
      ["Made", isBirthKnown ? `at block ${status.birth_height}` : "date unknown"],
      ["Ident", status.ident],
      ["Card's key", h("code", status.card_pubkey)],
    ], { "data-facts": "card" }),
  ];
}

export function failure(error) {
  if (!alarms.includes(error.code)) return errorNotice(error, "warning");
  const element = alarm(error.code === "tampered" ? "TAMPERED WITH." : "DO NOT USE THIS CARD.", error.message,
    ...(error.details ?? []), error.hint, "It did not prove what a genuine card proves.");
  element.dataset.error = error.code;
  return element;
}
