// What card.prove says about a card, and what to do next.

import { h } from "./dom.js";
import { actions, errorNotice, facts, grouped, link, notice } from "./parts.js";
import { cardTitle, counted, moment, shorten } from "./format.js";
import { isAccepted } from "./state.js";
import { printedCode } from "./words.js";

// Errors of a card that is not what it claims to be.
export const alarms = ["bad_proof", "not_genuine", "altered_signature", "forged_link", "tampered"];

const alarm = (title, ...text) => {
  const element = notice("danger", title, text);
  element.classList.add("big");
  return element;
};

export function genuineness(status) {
  const simulated = status.simulated ? " (the simulator's)" : "";
  if (status.genuine) return notice("ok", "Genuine: certified by the maker's factory.");
  if (status.root === "custom") {
    return notice("warning", `Not genuine: certified by a root that you accept${simulated}.`);
  }
  return status.root === "development"
    ? alarm("NOT GENUINE: a development card.", "Do not pay to it, and do not enter a CVC for it.")
    : alarm("NOT GENUINE: do not use this card.",
      `It is certified by an unknown root${simulated}: ${status.root_key ?? "none"}.`,
      "Do not pay to it, and do not enter a CVC for it. Money on it may belong to whoever made it.");
}

const flows = {
  setup: ["Setup was interrupted.", "Continue the setup", "setup"],
  backup: ["A backup was interrupted, and may not be saved.", "Make the backup", "setup"],
  "change-cvc": ["A change of the CVC was interrupted: the card has either the old or the new one."],
  derive: ["A move to another path was interrupted."],
  unseal: ["Unsealing a slot was interrupted; its key was not shown.", "Sweep", "satscard"],
  "next-slot": ["Setting up a slot was interrupted.", "Continue the setup", "satscard"],
  sign: ["Signing was interrupted; what was signed is stored.", "Continue signing", "sign"],
};

const go = ({ ident }, text, view, isFirst) => link(text, `#/${view}${/^s[ae]t/.test(view) ? `/${ident}` : ""}`,
  { class: `button${isFirst ? " primary" : ""}`, "data-next": view });

function unfinished(status) {
  return status.unfinished.map(({ flow, since, message, path = "" }) => {
    const [text, act, view] = flows[flow] ?? [message ?? `Not finished: ${flow}.`];
    return notice("warning", text, `Since ${moment(since)}.`,
      act ? actions(go(status, act, view)) : `Finish it with: tapkit ${flow} ${path}`);
  });
}

export function condition(status) {
  if (status.product !== "satscard") return status.set_up ? "Set up" : "Not set up yet: the card has no key";
  const words = {
    sealed: status.seal_verified === false ? "sealed, according to the card (its version cannot prove it)" : "sealed",
    unused: "unused", unsealed: "UNSEALED: the card is used up",
  };
  return [`Slot ${status.active_slot} of ${status.slots}`, words[status.slot_state] ?? []].flat().join(", ");
}

function next(status) {
  const { product, tampered, set_up: isSetUp, backups, slot_state: slot } = status;
  if (!isAccepted(status)) return [];
  if (product === "satscard") {
    const words = { sealed: "Deposit address, slots, sweep", unused: "Set up a slot" };
    return [go(status, (!tampered && words[slot]) || "Slots and sweep", "satscard", true)];
  }
  if (tampered) return [go(status, "Move the money: sign", "sign", true)];
  if (!isSetUp) return [go(status, "Set up this card", "setup", true)];
  const sign = go(status, "Sign", "sign", backups !== 0);
  if (backups === 0) return [go(status, "Back it up", "setup", true), sign];
  return [sign, go(status, "Wallets and addresses", "wallets"), go(status, "Backup and CVC", "setup")];
}

export const titleElement = (status, tag) => h(tag, cardTitle(status));

export const warnings = (status) => [
  status.tampered && alarm("TAMPERED WITH.", "The card reports this. Do not trust it with money any more.",
    status.product === "satscard" ? "Take the money out, and do not pay to this card." : "Move its money."),
  status.auth_delay_s > 0 && notice("warning", `Locked out after wrong CVCs: ${status.auth_delay_s} s.`,
    "A task with this card waits that long. Leave the card on the reader."),
  (status.unsent ?? []).map(({ id }) => notice("warning", `A sweep is signed and not sent: ${shorten(id)}.`,
    h("p", link("Look at it, and send it", `#/sign/${id}`)))),
];

export function statusElement(status, tag = "h3") {
  const steps = next(status);
  return [
    titleElement(status, tag), warnings(status), genuineness(status), unfinished(status),
    (status.problems ?? []).map((problem) => errorNotice(problem, "warning")),
    steps.length > 0 && h("div", {}, h("h4", "What next"), actions(steps)),
    facts([
      ["State", condition(status)],
      ["Path", status.path],
      ["Address", status.seal_verified && isAccepted(status) && grouped(status.address)],
      status.active_slot > 1 && ["Printed QR code", printedCode],
      ["Backups", status.backups !== undefined && `${counted(status.backups, "backup")} made, according to the card`],
      ["Network", status.network === "main" ? "bitcoin" : "the test networks"],
      ["Version", status.version],
      ["Ident", status.ident],
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
