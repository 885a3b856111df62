// What tapkit asks for: a yes, a CVC, a new CVC, a backup's key. One at a time; Esc is a no.

import { h, replace } from "./dom.js";
import { answering } from "./rpc.js";
import { button, check, field, form, notice, textInput } from "./parts.js";
import { cardTitle } from "./format.js";
import { walletElement } from "./policy.js";
import { purposeWords, questionWords } from "./words.js";

let queue = Promise.resolve();

// Shows a dialog until `finish(answer)` or `finish()`, which is a no, or nobody wants the answer any more.
function ask(name, signal, build) {
  const turn = queue.then(() => show(name, signal, build));
  queue = turn.catch(() => {});
  return turn;
}

function show(name, signal, build) {
  return new Promise((resolve, reject) => {
    const dialog = h("dialog", { "aria-labelledby": "dialog-title", "data-dialog": name });
    const leave = () => finish();
    function finish(answer) {
      signal?.removeEventListener("abort", leave);
      for (const input of dialog.querySelectorAll("input")) input.value = "";
      dialog.close();
      dialog.remove();
      if (answer === undefined) reject(new Error("no"));
      else resolve(answer);
    }
    if (signal?.aborted) return reject(new Error("no"));
    signal?.addEventListener("abort", leave);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      finish();
    });
    replace(dialog, build(finish));
    document.body.append(dialog);
    dialog.showModal();
    // Chromium would choose what scrolls.
    (dialog.querySelector("input:not([type=checkbox])") ?? dialog.querySelector("h2")).focus();
  });
}

// The frame of every dialog. The button that agrees is the form's own, so that Enter in a field presses it.
function dialogForm({ title, yes, isFinal, submit, cancel }, ...children) {
  const style = isFinal ? "danger" : "primary";
  return form({}, submit,
  h("h2", { id: "dialog-title", tabindex: "-1" }, title),
  h("div.dialog-body", children),
  h("div.actions.end", button("Cancel", cancel, { "data-action": "no" }),
    h("button", { type: "submit", class: style, "data-action": "yes" }, yes)));
}

// A question of the page's own: resolves to whether it was agreed to.
export const agree = (title, yes, ...children) =>
  ask("agree", undefined, (finish) =>
    dialogForm({ title, yes, submit: () => finish(true), cancel: () => finish() }, children))
    .then(() => true, () => false);

async function confirm(asked, signal) {
  // A question that this page does not know can only be answered with no.
  const words = questionWords(asked);
  if (!words) throw new Error(asked.question);
  // Without the picture of what is signed there is nothing to agree to: the import fails.
  const { findingElements, reviewElement } = await import("./review.js");
  const { losses = [], review, findings = review?.findings } = asked;
  const codes = losses.map(({ code }) => code);
  return ask("confirm", signal, (finish) => {
    const boxes = losses.map(({ code, summary }) =>
      check(`I accept this: ${summary}`, { "data-accept": code, autocomplete: "off" }));
    const problem = h("p.field-problem", { role: "alert" });
    const submit = () => {
      const open = boxes.find(({ input }) => !input.checked);
      if (!open) return finish(codes.length ? { accept: codes } : true);
      replace(problem, "Money could be lost. Accept each warning, or cancel.");
      open.input.focus();
    };
    return dialogForm({ title: words.title, yes: words.yes, isFinal: words.isFinal, submit, cancel: () => finish() },
      (words.lines || []).map((line) => h("p", line)), asked.registration && walletElement(asked.registration),
      asked.new_findings && notice("danger", "The card's keys show that the transaction is riskier than shown before:",
        asked.new_findings.map(({ message }) => message)),
      review ? reviewElement({ ...review, findings }, codes)
        : ["refusal", "warning", "notice"].map((severity) => findingElements({ findings }, severity, codes)),
      words.isFinal && asked.unseals_slot && notice("warning", "Unsealing is final.",
        `Slot ${asked.unseals_slot} must not be paid to any more.`),
      boxes.length > 0 && h("fieldset.accept", h("legend", "Money could be lost"),
        boxes.map(({ element }) => element)),
      problem);
  });
}

// A field for a secret, which no browser offers to keep.
const secretField = (name, label, hint, props) => field(label,
  textInput({ type: "password", "data-field": name, ...props }), hint);

// Asks for a secret. `take()` answers it, or nothing if something is wrong, which is then shown.
const askSecret = (name, signal, { refusal, repeated }, { title, yes, text, fields, take, isCVC }) =>
  ask(name, signal, (finish) => dialogForm({
    title, yes, cancel: () => finish(), submit() {
      const answer = take();
      if (answer) finish(answer);
    },
  },
  h("p", text),
  refusal && notice("danger", refusal.message,
    repeated && "The card already rejected this CVC, so it was not sent again.", refusal.hint),
  fields.map(({ element }) => element),
  isCVC && notice("warning", "This page is not the safest place for a CVC.",
    "A window of pinentry is safer: install pinentry-gnome3 or pinentry-qt, then run tapkit ui again.")));

// The text of a field that has the form of what is asked for.
function typed({ input, complain }, form, problem) {
  const isRight = form.test(input.value);
  complain(isRight ? "" : problem);
  return isRight ? input.value : undefined;
}
const typedCVC = (given) => typed(given, /^[0-9]{6,32}$/, "A CVC has 6 to 32 digits.");
const numeric = { inputmode: "numeric" };

function cvc(request, signal) {
  const given = secretField("cvc", "CVC", "6 digits or more. Three wrong CVCs lock the card for a while.", numeric);
  return askSecret("cvc", signal, request, {
    title: `CVC of ${cardTitle(request.card)}`, yes: "Use this CVC", isCVC: true,
    text: `It is needed to ${purposeWords(request)}.`, fields: [given], take: () => typedCVC(given),
  });
}

function newCVC(request, signal) {
  const first = secretField("new-cvc", "New CVC", "6 to 32 digits; 7 to 16 are best.", numeric);
  const second = secretField("new-cvc-again", "Repeat the new CVC", undefined, numeric);
  return askSecret("new-cvc", signal, request, {
    title: `New CVC for ${cardTitle(request.card)}`, yes: "Use this new CVC", isCVC: true,
    text: "Without it, the card cannot be used. Write it down before you continue.", fields: [first, second],
    take() {
      const given = typedCVC(first);
      if (!given || given === second.input.value) return given;
      second.complain("The two CVCs do not match.");
    },
  });
}

function backupKey(request, signal) {
  const given = secretField("backup-key", "Backup key",
    "32 digits and letters, printed on the card that made the backup.");
  return askSecret("backup-key", signal, request, {
    title: "Backup key", yes: "Use this key", fields: [given],
    text: "It decrypts the backup. It is neither shown nor stored.",
    take: () => typed(given, /^([0-9a-fA-F][ -]*){32}$/, "A backup key is 32 digits and letters: 0 to 9, and A to F."),
  });
}

export const install = () => answering({
  "interaction.confirm": confirm, "interaction.cvc": cvc, "interaction.new_cvc": newCVC,
    "interaction.backup_key": backupKey,
});
