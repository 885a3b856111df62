// Setting up a TAPSIGNER or a SATSCHIP step by step; its backup: download and check; a new CVC.

import { h, replace } from "./dom.js";
import { button, copyButton, details, download, facts, field, fileBase64, grouped, link, notice } from "./parts.js";
import { cardTitle, counted } from "./format.js";
import { cardChoice, cardOn, chosen, noCard, readersWith } from "./cards.js";
import { isAccepted, watch } from "./state.js";
import { runTask } from "./task.js";
import { statusElement } from "./view-card.js";

// What a card does, in this order, and the event with which each begins.
const steps = [
  ["proving_card", "The card proves that it is genuine."],
  ["picking_key", "The card picks its key, with a chain code that this machine draws, so that it cannot choose the key "
    + "alone. It proves that it used it."],
  ["changing_path", "The card moves to its account."],
  ["backing_up", "The encrypted backup is read from the card, before the CVC changes."],
  ["changing_cvc", "The CVC is changed, and the new one is tried."],
];

// What a card made that is not saved by the person yet: it survives leaving the view. ident → {backup, isSaved, …}
const made = new Map();

addEventListener("beforeunload", (event) => {
  if ([...made.values()].some(({ backup, isSaved }) => backup && !isSaved)) event.preventDefault();
});

function stepsElement({ hasBackup, keepsCVC }) {
  const shown = steps.filter(([name]) =>
    (hasBackup || name !== "backing_up") && !(keepsCVC && name === "changing_cvc"));
  const items = shown.map(([name, text]) => h("li", { "data-step-name": name, "data-step": "later" }, text));
  const mark = (index) => items.forEach((item, place) => {
    item.dataset.step = place < index ? "done" : place === index ? "now" : "later";
  });
  return {
    element: h("ol", { class: "steps", id: "setup-steps" }, items),
    take({ event }) {
      const name = event === "proven" ? "proving_card" : event;
      const index = shown.findIndex(([step]) => step === name);
      if (index >= 0) mark(index);
    },
    finish: () => mark(shown.length),
    reset: () => mark(-1),
  };
}

// The backup's file, and that it is saved where the person wants it.
function saveElement(entry, changed) {
  const { backup } = entry;
  return [h("h2", "Save the backup"),
    h("p", "The file and the backup key printed on the card's back are the money, just like the card and its CVC. "
      + "Keep the file in another place than the card."),
    h("p", h("code", { class: "long" }, backup.name)),
    h("div", { class: "actions" }, button(entry.isSaved ? "Save it once more" : "Save the backup", () => {
      download(backup.name, backup.content);
      entry.isSaved = true;
      changed();
    }, { class: entry.isSaved ? "" : "primary", id: "save-backup" })),
    entry.isSaved && notice("ok", "Saved with your downloads.", h("p", "Now check that file, and copy it to another place."))];
}

function checkedElement(result) {
  const { card } = result;
  const title = card.checked ? `This is the backup of ${card.simulated ? "SIMULATED " : ""}card ${card.ident}. Proven by the card.`
    : "The backup can be decrypted with this key, and is complete. No card was compared.";
  const element = notice(card.checked ? "ok" : "info", title,
    card.path && card.path !== result.path
      && h("p", `The card is now at path ${card.path}; the backup's path is ${result.path}. The keys are the same.`),
    facts([["Fingerprint", result.fingerprint], ["Path", result.path]]));
  element.id = "backup-checked";
  return element;
}

// A file that was saved is read again and compared with the card.
function verifyElement(reader, control, checked) {
  const file = field("The backup's file", h("input", { type: "file", id: "backup-file", accept: ".aes" }),
    "As it was saved: this finds out whether the copy is good.");
  const place = h("div", { class: "stack", "aria-live": "polite" });
  const start = h("button", { type: "submit", id: "verify-backup" }, "Check the backup");
  const longest = 1_000_000;
  async function submit(event) {
    event.preventDefault();
    const [given] = file.input.files;
    file.complain(!given ? "Choose the file." : given.size > longest ? "This is too large to be a backup." : "");
    if (!given || given.size > longest) return;
    start.disabled = true;
    const content = await fileBase64(given);
    const result = await runTask(place, "backup.verify", { ...cardOn(reader), content, card_required: true },
      { title: "Checking the backup", signal: control.signal });
    start.disabled = false;
    if (!result) return;
    replace(place, checkedElement(result));
    checked?.();
  }
  return [h("h2", "Check the backup"),
    h("p", "tapkit decrypts the file with the backup key, and compares it with the keys that the card proves to hold. "
      + "The card must be on the reader. Nothing of the backup is kept."),
    h("form", { onsubmit: submit, novalidate: true }, file.element, h("div", { class: "actions" }, start)), place];
}

const writtenDown = (entry) => [h("h2", "What to write down"), h("ul", { id: "write-down" },
  entry.result?.cvc_changed && h("li", "The new CVC. Without it the card cannot be used."),
  entry.backup && h("li", "The backup key on the card's back: photograph nothing; copy its 32 digits and letters by hand, and "
    + "keep them apart from the backup's file."),
  entry.backup && h("li", "Where the backup's file and its copies are."),
  entry.result && h("li", `The fingerprint ${entry.result.fingerprint} and the path ${entry.result.path}, so that the right card `
    + "is found again."))];

function resultElement(result) {
  return [notice("ok", `${cardTitle(result)} is ready.`,
    result.cvc_changed && h("p", "CVC: changed. To spend you need the card and this CVC"
      + `${result.backup ? ", or the backup file and the key printed on the card." : "."}`),
    result.product === "satschip"
      && h("p", "Backup: none. A SATSCHIP cannot be backed up: if you lose the card, you lose the money.")),
  facts([["Path", result.path], ["Fingerprint", result.fingerprint],
    ["Backup", result.backup_file && ["A copy is kept in ", h("code", { class: "long" }, result.backup_file)]]]),
  details("The account's keys, for other programs",
    facts([["Xpub", [grouped(result.xpub), copyButton(result.xpub)]],
      ["Descriptors", result.descriptors.map((text) => h("p", h("code", { class: "long" }, text), copyButton(text)))]])),
  h("div", { class: "actions" }, link("Make a wallet of it", "#/wallets", { class: "button", "data-next": "wallets" }))];
}

async function render(main, argument) {
  const control = new AbortController();
  const head = h("div", { class: "stack", id: "setup-head" });
  const work = h("div", { class: "stack", id: "setup-work" });
  let ident = argument;
  let reader;
  let key;
  let isBusy = false;

  const section = (id, ...content) => h("section", { class: "card stack", id }, content);
  const setTitle = () => replace(main.querySelector("h1"), reader?.status.set_up ? "Card, backup and CVC" : "Set up a card");

  // Runs what changes the card; afterwards everything is drawn again for what it is then.
  async function change(place, method, params, options) {
    isBusy = true;
    const mine = reader;
    const result = await runTask(place, method, { ...cardOn(mine), ...params }, { signal: control.signal, ...options });
    isBusy = false;
    if (result) {
      const entry = { ...made.get(mine.card.ident), ...(result.backup || method === "card.backup"
        ? { backup: result.backup ?? result, isSaved: false } : {}) };
      if (method === "card.setup") entry.result = { ...result, simulated: mine.status.simulated };
      else entry.backups = result.backups;
      made.set(mine.card.ident, entry);
    }
    return result;
  }

  function setupSection(status, isInterrupted) {
    const hasBackup = status.product === "tapsigner";
    const place = h("div", { class: "stack", "aria-live": "polite" });
    const choice = (value, text, isChecked) => h("label", { class: "check" },
      h("input", { type: "radio", name: "cvc", value, checked: isChecked, id: `cvc-${value}` }), h("span", text));
    const cvc = h("fieldset", h("legend", "CVC"),
      choice("new", "Choose a new CVC: 6 to 32 digits, of which you need every one to spend", true),
      choice("keep", hasBackup ? "Keep the CVC that is printed on the card" : "Keep the first CVC, which everybody knows", false));
    const path = field("Path", h("input", { type: "text", class: "mono", id: "setup-path", autocomplete: "off", spellcheck: "false" }),
      "Up to 8 hardened steps, such as m/48h/0h/0h/2h for a multisig wallet. Empty: the usual account for payments.");
    const list = h("div");
    let plan;
    const keeps = () => cvc.querySelector("#cvc-keep").checked;
    const drawPlan = () => {
      plan = stepsElement({ hasBackup, keepsCVC: keeps() });
      replace(list, plan.element);
    };
    cvc.addEventListener("change", drawPlan);
    drawPlan();
    const start = button(isInterrupted ? "Continue the setup" : "Set up this card", async () => {
      start.disabled = true;
      cvc.disabled = true;
      plan.reset();
      const params = { ...(keeps() ? { keep_cvc: true } : {}), ...(path.input.value.trim() ? { path: path.input.value.trim() } : {}) };
      const result = await change(place, "card.setup", params, { title: "Setting up the card", onProgress: (event) => plan.take(event) });
      start.disabled = false;
      cvc.disabled = false;
      if (!result) {
        place.append(notice("info", "Nothing is lost.",
          h("p", "Press the button again: tapkit finds out how far the card came, and continues from there.")));
        replace(start, "Continue the setup");
        return;
      }
      plan.finish();
      draw();
    }, { class: "primary", id: "setup-start" });
    return section("setup", h("h2", "What will happen"),
      isInterrupted && notice("warning", "Setup was interrupted.",
        h("p", "tapkit finds out how far the card came, and continues from there.")),
      list,
      h("p", hasBackup ? "Then you save the backup, and check the file while the card is still there."
        : "A SATSCHIP has no backup: if you lose the card, you lose its key."),
      cvc, details("Another account", path.element),
      h("p", { class: "hint" }, "The card's current CVC is needed", hasBackup ? ": it is printed on the card." : "."),
      h("div", { class: "actions" }, start), place);
  }

  function readySections(status, entry) {
    const backupPlace = h("div", { class: "stack", "aria-live": "polite" });
    const cvcPlace = h("div", { class: "stack", "aria-live": "polite" });
    const redraw = async (result) => result && draw();
    const isInterrupted = status.unfinished.some(({ flow }) => flow === "backup");
    return [
      entry?.result && section("setup-result", resultElement(entry.result)),
      entry?.backup && section("save", saveElement(entry, draw)),
      status.product === "tapsigner" && section("verify", verifyElement(reader, control)),
      entry && section("notes", writtenDown(entry)),
      !entry?.backup && status.product === "tapsigner" && section("backup", h("h2", "Back up again"),
        isInterrupted && notice("warning", "A backup was interrupted, and may not be saved."),
        h("p", status.backups !== undefined
          && `According to the card, it has made ${counted(status.backups, "backup")} so far. `,
        "The file is encrypted with the key printed on the card's back."),
        h("div", { class: "actions" }, button("Make a backup", async () =>
          redraw(await change(backupPlace, "card.backup", {}, { title: "Making a backup" })),
        { id: "backup-start", class: status.backups === 0 ? "primary" : "" })), backupPlace),
      !entry?.result && section("cvc", h("h2", "A new CVC"),
        h("p", "The card gets a new CVC, and keeps its key. A new CVC does not help if somebody may have the key's backup."),
        h("div", { class: "actions" }, button("Change the CVC", async () =>
          redraw(await change(cvcPlace, "card.setup", { keep_cvc: false }, { title: "Changing the CVC" })),
        { id: "change-cvc" })), cvcPlace),
    ];
  }

  // For the card as it is now.
  function draw() {
    const { status } = reader;
    setTitle();
    const entry = made.get(ident);
    const isInterrupted = status.unfinished.some(({ flow }) => flow === "setup");
    if (status.tampered) {
      replace(work, notice("danger", "The card reports that it was TAMPERED WITH. Do not trust it with money any more."));
    } else if (entry?.result || (status.set_up && !isInterrupted)) {
      replace(work, readySections(status, entry));
    } else {
      replace(work, setupSection(status, isInterrupted));
    }
  }

  function update() {
    const all = readersWith(["tapsigner", "satschip", "satscard"]).filter(({ status }) => status);
    const readers = all.filter(({ status }) => status.product !== "satscard");
    if (!readers.length && !reader) {
      const [satscard] = all;
      replace(head, satscard
        ? notice("info", `${cardTitle(satscard.card)} is on the reader.`,
          h("p", link("Give its next slot a key", `#/satscard/${satscard.card.ident}`)))
        : noCard("a TAPSIGNER or SATSCHIP"));
      replace(work);
      return;
    }
    const present = readers.find(({ card }) => card.ident === ident) ?? (reader && isBusy ? undefined : chosen(readers, ident));
    if (present) {
      ident = present.card.ident;
      reader = { spec: present.spec, name: present.name, card: present.card, status: present.status };
    }
    const { status } = reader;
    replace(head, cardChoice(readers, present, (next) => {
      ident = next;
      update();
    }),
    h("div", { class: "title-row" }, h("h2", { "data-card-title": status.ident }, cardTitle(status)),
      status.simulated && h("span", { class: "badge simulated" }, "SIMULATED")),
    status.auth_delay_s > 0 && notice("warning", `Locked out after wrong CVCs: ${status.auth_delay_s} s.`,
      h("p", "A task with this card waits that long. Leave the card on the reader.")),
    !present && !isBusy && notice("info", "The card was removed.", h("p", "Put it back on the reader to continue.")));
    if (!isAccepted(status)) {
      key = undefined;
      replace(work, h("div", { class: "card stack" }, statusElement(status)));
      return;
    }
    const now = [ident, status.set_up, status.tampered, status.path, status.backups,
      status.unfinished.map(({ flow }) => flow)].join("/");
    // What is being done, and what it ended with, stays until the card has changed.
    if (isBusy || now === key) return;
    key = now;
    draw();
  }

  replace(main, h("h1", "Set up a card"), head, work);
  update();
  const stop = watch(update);
  return () => {
    stop();
    control.abort();
  };
}

export default { title: "Set up a card", render };
