// Setting up a TAPSIGNER or a SATSCHIP; its backup; a new CVC.

import { focusOn, h, isLost, replace } from "./dom.js";
import { actions, button, check, details, download, facts, field, fileBase64, form, link, notice, section,
  textInput } from "./parts.js";
import { cardTitle, counted, doubtfulKey } from "./format.js";
import { cardOn, follow } from "./cards.js";
import { runTask } from "./task.js";

// What a card does, in this order, and the event with which each begins.
const steps = [
  ["proving_card", "The card proves that it is genuine."],
  ["picking_key", "The card picks its key, with a random chain code from this machine, so that it cannot choose the key "
    + "alone. It proves that."],
  ["changing_path", "The card switches to its account path."],
  ["backing_up", "The encrypted backup is read from the card, before the CVC changes."],
  ["changing_cvc", "The CVC is changed, and the new one is tried."],
];

const continuing = "tapkit finds out how far setup got, and continues from there.";

// What a card made and nobody has saved yet. ident → {backup, isSaved, …}
const made = new Map();

addEventListener("beforeunload", (event) => {
  if ([...made.values()].some(({ backup, isSaved }) => backup && !isSaved)) event.preventDefault();
});

function stepsElement(hasBackup, keepsCVC) {
  const left = [!hasBackup && "backing_up", keepsCVC && "changing_cvc"];
  const shown = steps.filter(([name]) => !left.includes(name));
  const items = shown.map(([, text]) => h("li", text));
  return {
    element: h("ol.steps", items),
    take({ event }) {
      const now = shown.findIndex(([name]) => name === event);
      if (now < 0) return;
      items.forEach((item, place) => { item.dataset.step = place < now ? "done" : place === now ? "now" : ""; });
    },
  };
}

function saveElement(entry, changed) {
  const { backup } = entry;
  return [h("p",
    "Whoever has this file and the backup key on the back of the card can spend the money. Keep them apart."),
    h("p", h("code.long", backup.name)),
    actions(button(entry.isSaved ? "Save it again" : "Save the backup", () => {
      download(backup.name, backup.content);
      entry.isSaved = true;
      changed();
    }, { class: !entry.isSaved && "primary", id: "save-backup" })),
    entry.isSaved && notice("ok", "Your browser has the file: look for it among your downloads.",
      "Now check that file, and copy it to another place.")];
}

function checkedElement(result) {
  const { card } = result;
  const element = notice("ok", `Proven: this is the backup of ${card.simulated ? "SIMULATED " : ""}card ${card.ident}.`,
    facts([["Fingerprint", result.fingerprint], ["Path", result.path]]));
  element.id = "backup-checked";
  return element;
}

function verifyElement(reader, signal) {
  const file = field("Backup file", h("input", { type: "file", id: "backup-file", accept: ".aes" }),
    "As you saved it.");
  const place = h("div");
  const start = h("button", { type: "submit", id: "verify-backup" }, "Check the backup");
  const longest = 1_000_000;
  async function submit() {
    const [given] = file.input.files;
    file.complain(!given ? "Choose the file." : given.size > longest ? "This is too large to be a backup." : "");
    if (!given || given.size > longest) return;
    const content = await fileBase64(given);
    const result = await runTask(place, "backup.verify", { ...cardOn(reader), content, card_required: true },
      { title: "Checking the backup", signal, busy: [start] });
    if (result) focusOn(replace(place, checkedElement(result)));
  }
  return [h("p",
    "tapkit decrypts the file with the backup key, and compares it with the keys that the card proves."),
    form({}, submit, file.element, actions(start)), place];
}

const writtenDown = (entry) => h("ul",
  entry.result?.cvc_changed && h("li", "The new CVC. Without it the card cannot be used."),
  entry.backup && h("li", "The backup key, which is printed on the card's back. Keep it apart from the backup file."),
  entry.backup && h("li", "Where the backup file and its copies are."),
  entry.result && h("li",
    `The fingerprint ${entry.result.fingerprint} and the path ${entry.result.path}, so that the right card `
    + "is found again."));

function resultElement(result) {
  return [notice("ok", `${cardTitle(result)} is ready.`,
    result.cvc_changed && `CVC: changed. To spend you need the card and this CVC${
      result.backup ? ", or the backup file and the key printed on the card." : "."}`,
    result.product === "satschip"
      && "Backup: none. A SATSCHIP cannot be backed up: if you lose the card, you lose the money."),
  result.key_of_interrupted_setup && notice("warning", doubtfulKey),
  facts([["Path", result.path], ["Fingerprint", result.fingerprint],
    ["Backup", result.backup_file && ["A copy is kept in ", h("code.long", result.backup_file)]]]),
  actions(link("Add its wallet", "#/wallets", { class: "button" }))];
}

async function render(main, ident, signal) {
  const head = h("div.stack");
  const work = h("div.stack");
  let reader;

  // Runs what changes the card, and keeps what it made.
  async function change(place, method, params, options) {
    const { card } = reader;
    const result = await runTask(place, method, { ...cardOn(reader), ...params },
      { signal, ...options });
    if (!result) return false;
    const backup = method === "card.backup" ? result : result.backup;
    const entry = { ...made.get(card.ident), ...(backup && { backup, isSaved: false }) };
    if (method === "card.setup") entry.result = { ...result, simulated: card.simulated };
    made.set(card.ident, entry);
    draw();
    if (isLost()) focusOn(work.firstElementChild);
    return true;
  }

  function setupSection(status, isInterrupted) {
    const hasBackup = status.product === "tapsigner";
    const place = h("div");
    const choice = (value, text) =>
      check(text, { type: "radio", name: "cvc", value, checked: value === "new", id: `cvc-${value}` }).element;
    const cvc = h("fieldset", { onchange: () => drawPlan() }, h("legend", "CVC"),
      choice("new", "Choose a new CVC of 6 to 32 digits"),
      choice("keep", hasBackup ? "Keep the CVC that is printed on the card"
        : "Keep the first CVC, which everybody knows"));
    const path = field("Path", textInput({}),
      "Such as m/48h/0h/0h/2h for a multisig wallet. Empty: the usual account.");
    const keeps = () => cvc.querySelector("#cvc-keep").checked;
    const list = h("div");
    let plan;
    function drawPlan() {
      plan = stepsElement(hasBackup, keeps());
      replace(list, plan.element);
    }
    drawPlan();
    let hasBegun = isInterrupted;
    const start = button(isInterrupted ? "Continue the setup" : "Set up this card", async () => {
      const text = path.input.value.trim();
      const isDone = await change(place, "card.setup",
        { ...(keeps() && { keep_cvc: true }), ...(text && { path: text }) },
        { title: "Setting up the card", busy: [start, cvc], onProgress(event) {
          hasBegun ||= event.event === "picking_key";
          plan.take(event);
        } });
      if (isDone || !hasBegun) return;
      place.append(notice("info", "Nothing is lost.", `Press the button again: ${continuing}`));
      replace(start, "Continue the setup");
    }, { class: "primary", id: "setup-start" });
    return section("setup", "What will happen",
      isInterrupted && notice("warning", "Setup was interrupted.", continuing),
      list,
      hasBackup ? "Then you save the backup, and check the file while the card is still there."
        : "A SATSCHIP has no backup: if you lose the card, you lose its key.",
      cvc, details("Another account", path.element),
      h("p.hint", "The card's current CVC is needed",
        hasBackup ? ". The first one is printed on the card." : "."),
      actions(start), place);
  }

  function changeSection(id, title, text, label, method, params, isFirst) {
    const place = h("div");
    return section(id, title, text, actions(
      button(label, () => change(place, method, params, { title }),
        { id: `${id}-start`, class: isFirst && "primary" })), place);
  }

  function readySections(status, entry) {
    const hasBackup = status.product === "tapsigner";
    return [
      entry?.result && section("setup-result", "The card is ready", resultElement(entry.result)),
      entry?.backup && section("save", "Save the backup", saveElement(entry, draw)),
      hasBackup && section("verify", "Check the backup", verifyElement(reader, signal)),
      entry?.result && section("notes", "What to write down", writtenDown(entry)),
      hasBackup && !entry?.backup && changeSection("backup", "Back up again",
        `According to the card, it has made ${counted(status.backups ?? 0, "backup")} so far.`, "Make a backup",
          "card.backup", {}, status.backups === 0),
      !entry?.result && changeSection("cvc", "A new CVC", "The card keeps its key: a new CVC does not help against "
        + "somebody who has the backup and its key.", "Change the CVC", "card.setup", { keep_cvc: false }),
    ];
  }

  function draw() {
    const { status } = reader;
    const entry = made.get(status.ident);
    const isInterrupted = status.unfinished.some(({ flow }) => flow === "setup");
    const isReady = entry?.result || (status.set_up && !isInterrupted);
    replace(main.querySelector("h1"), isReady ? "Card, backup and CVC" : "Set up a card");
    const { activeElement: focused } = document;
    const isInside = work.contains(focused);
    replace(work, !status.tampered && (isReady ? readySections(status, entry) : setupSection(status, isInterrupted)));
    if (isInside) focusOn(document.getElementById(focused.id) ?? work.firstElementChild ?? head);
  }

  replace(main, h("h1", "Set up a card"), head, work);
  follow(head, { products: ["tapsigner", "satschip"], words: "a TAPSIGNER or SATSCHIP", ident, signal }, (next) => {
    reader = next;
    if (next) draw();
    else replace(work);
  });
}

export default { title: "Set up a card", render };
