// Readers and the cards on them, as they come and go: what each card is, and what to do with it next.

import { h, icon, replace } from "./dom.js";
import { button, errorNotice, facts, grouped, link, notice } from "./parts.js";
import { cardTitle, counted, moment, shorten } from "./format.js";
import { examine, isAccepted, state, watch } from "./state.js";
import { printedCode } from "./words.js";

// Errors that say that the card is not what it claims to be, whatever else could be wrong.
const alarms = ["bad_proof", "not_genuine", "altered_signature", "forged_link", "tampered"];

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

function condition(status) {
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

// A card that answered.
export function statusElement(status) {
  const steps = next(status);
  const isBirthKnown = status.birth_height !== undefined;
  return [
    h("div", { class: "title-row" }, h("h3", { "data-card-title": status.ident }, cardTitle(status)),
      status.simulated && h("span", { class: "badge simulated" }, "SIMULATED")),
    status.tampered && alarm("TAMPERED WITH.", "The card reports that it was tampered with. Do not trust it with money "
      + "any more.", status.product === "satscard" ? "Take the money out, and do not pay to this card." : "Move its money."),
    genuineness(status),
    status.auth_delay_s > 0 && notice("warning", `Locked out after wrong CVCs: ${status.auth_delay_s} s.`,
      h("p", "A task with this card waits that long. Leave the card on the reader.")),
    unfinished(status),
    (status.unsent ?? []).map(({ id }) => notice("warning", `A sweep is signed and not sent: ${shorten(id)}.`,
      h("p", link("Look at it, and send it", `#/sign/${id}`)))),
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

function failure(error) {
  if (!alarms.includes(error.code)) return errorNotice(error, "warning");
  const element = alarm(error.code === "tampered" ? "TAMPERED WITH." : "DO NOT USE THIS CARD.", error.message,
    ...(error.details ?? []), error.hint, "It did not prove what a genuine card proves.");
  element.dataset.error = error.code;
  return element;
}

// What is shown of a reader, as a word.
function stateOf({ isChecking, status, error, occupied }) {
  if (isChecking) return "checking";
  if (status) return isAccepted(status) && !status.tampered ? "ready" : "danger";
  if (error && error.code !== "no_card") return alarms.includes(error.code) ? "danger" : "problem";
  return occupied ? "checking" : "empty";
}

function readerElement(reader) {
  const { status, error, spec } = reader;
  const again = h("div", { class: "actions" },
    button("Check again", () => examine(spec), { class: status ? "quiet" : "", "data-action": "prove" }));
  const content = {
    checking: () => h("p", { class: "waiting" }, "Checking that the card is genuine…"),
    empty: () => h("p", { class: "waiting" }, "No card. Put a card on the reader, flat and alone."),
    problem: () => [failure(error), again],
    ready: () => [statusElement(status), again],
    danger: () => [status ? statusElement(status) : failure(error), again],
  };
  const name = stateOf(reader);
  return h("section", { class: "card", "data-reader": spec, "data-state": name, "data-card": status?.ident },
    h("h2", { class: "reader-name" }, icon("reader"), reader.name),
    h("div", { class: "stack" }, content[name]()));
}

// The same for a screen reader, in a sentence.
function sentence({ status, error, isChecking, occupied }) {
  if (isChecking) return "Checking a card…";
  if (status) return `${cardTitle(status)}: ${isAccepted(status) ? condition(status) : "NOT GENUINE. Do not use this card."}`;
  return error?.message ?? (occupied ? "" : "No card.");
}

async function render(main) {
  const list = h("div", { class: "stack", id: "readers" });
  const said = h("p", { class: "visually-hidden", role: "status", id: "card-said" });
  const trouble = h("div");
  const empty = notice("info", "No reader is attached.", h("p", "Connect one; the page notices it by itself."),
    h("p", link("Find out why a reader does not work", "#/doctor", { class: "button", "data-next": "doctor" })));
  empty.id = "no-reader";
  // spec → {element, mark: what it shows}
  const shown = new Map();

  function refresh() {
    const present = new Set(state.readers.map(({ spec }) => spec));
    for (const [spec, { element }] of shown) {
      if (present.has(spec)) continue;
      element.remove();
      shown.delete(spec);
    }
    for (const reader of state.readers) {
      const mark = [reader.name, stateOf(reader), reader.turn].join("\n");
      const before = shown.get(reader.spec);
      if (before?.mark === mark) continue;
      const element = readerElement(reader);
      if (before) before.element.replaceWith(element);
      else list.append(element);
      shown.set(reader.spec, { element, mark });
    }
    empty.hidden = state.readers.length > 0;
    const text = state.readers.map(sentence).join(" ");
    if (said.textContent !== text) replace(said, text);
    replace(trouble, state.problems.map((problem) => errorNotice(problem, "warning")));
  }

  replace(main, h("h1", "Reader and card"),
    h("p", { class: "lead" }, "Put a card on a reader: tapkit asks it for its proofs, without its CVC, and says what it is."),
    said, trouble, empty, list);
  refresh();
  return watch(refresh);
}

export default { title: "Reader and card", render };
