// What tapkit asks for while it works: a yes, a CVC, a new CVC, a backup's key. One at a time; Esc is a no.

import { h, replace } from "./dom.js";
import { answering, asks } from "./rpc.js";
import { button, check, field, notice } from "./parts.js";
import { cardTitle } from "./format.js";
import { purposeWords, questionWords } from "./words.js";

let queue = Promise.resolve();

// Shows a dialog until `finish(answer)` or `finish()`, which is a no, or until nobody wants the answer any more.
// `build(finish)` returns what is in it.
export function ask(name, signal, build) {
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
      // What was typed does not stay in a field.
      for (const input of dialog.querySelectorAll("input")) input.value = "";
      dialog.close();
      dialog.remove();
      if (answer === undefined) reject(new Error("no"));
      else resolve(answer);
    }
    if (signal?.aborted) {
      reject(new Error("no"));
      return;
    }
    signal?.addEventListener("abort", leave);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      finish();
    });
    replace(dialog, build(finish));
    document.body.append(dialog);
    dialog.showModal();
  });
}

// The frame of every dialog. The button that agrees is the form's own, so that Enter in a field presses it.
export function dialogForm({ title, yes, no = "Cancel", isFinal = false, submit, cancel }, ...children) {
  const agree = yes && h("button", { type: "submit", class: isFinal ? "danger" : "primary", "data-action": "yes" }, yes);
  return h("form", {
    novalidate: true, autocomplete: "off",
    onsubmit: (event) => {
      event.preventDefault();
      submit?.();
    },
  },
  h("h2", { id: "dialog-title" }, title),
  h("div", { class: "dialog-body" }, children),
  h("div", { class: "actions end" }, button(no, () => cancel(), { "data-action": "no" }), agree));
}

// A question of the page's own: resolves to whether it was agreed to.
export const agree = (title, yes, isFinal, ...children) =>
  ask("agree", undefined, (finish) =>
    dialogForm({ title, yes, isFinal, submit: () => finish(true), cancel: () => finish() }, children))
    .then(() => true, () => false);

const findingNotice = ({ severity, message, code }) => {
  const element = notice({ notice: "info", warning: "warning", refusal: "danger" }[severity] ?? "warning", message);
  element.setAttribute("data-finding", code);
  return element;
};

export async function confirm(asked, signal) {
  const words = questionWords(asked);
  // Without the picture of what is signed there is nothing to agree to: then the import fails, and the answer is no.
  const reviewElement = asked.review && (await import("./review.js")).reviewElement;
  const losses = asked.to_accept ?? [];
  return ask("confirm", signal, (finish) => {
    if (!words) {
      return dialogForm({ title: "A question that this page cannot show", cancel: () => finish(), no: "Answer with no" },
        h("p", `It is called ${asked.question}. Use the command for this.`));
    }
    const findings = [...(asked.findings ?? []), ...(asked.review?.findings ?? [])];
    const boxes = losses.map((code) => ({ code, ...check(
      ["I accept this: ", findings.find((finding) => finding.code === code)?.message ?? code],
      { "data-accept": code, autocomplete: "off" }) }));
    const problem = h("p", { class: "field-problem", role: "alert" });
    const submit = () => {
      const open = boxes.find(({ input }) => !input.checked);
      if (!open) return finish(losses.length ? { accept: losses } : true);
      replace(problem, "Money could be lost. Accept each warning, or cancel.");
      open.input.focus();
    };
    return dialogForm({ title: words.title, yes: words.yes, isFinal: words.isFinal, submit, cancel: () => finish() },
      (words.lines ?? []).map((line) => h("p", line)),
      asked.new_findings && notice("danger", "The card's keys show that it is worse than you were shown:",
        asked.new_findings.map(({ message }) => h("p", message))),
      asked.review && reviewElement(asked.review),
      (asked.findings ?? []).map(findingNotice),
      words.isFinal && asked.unseals_slot && notice("warning", "Unsealing is final.",
        h("p", `Slot ${asked.unseals_slot} must not be paid to any more.`)),
      boxes.length > 0 && h("fieldset", { class: "accept" }, h("legend", "Money could be lost"),
        boxes.map(({ element }) => element)),
      asks() === "both" && asked.card && h("p", { class: "hint" }, "If a CVC is needed, a window of this machine asks for it."),
      problem);
  });
}

const secretInput = (props) => h("input", {
  type: "password", autocomplete: "off", spellcheck: "false", autocapitalize: "off", maxlength: "80", ...props,
});

const cvcField = (label, props, hint) => field(label, secretInput({ inputmode: "numeric", ...props }), hint);
const saferElsewhere = () => notice("warning", "This page is not the safest place for a CVC.",
  h("p", "Other programs of yours could watch this browser. A window of pinentry is safer: install pinentry-gnome3 or "
    + "pinentry-qt, then run tapkit ui again."));

const cvcProblem = (text) => (/^[0-9]{6,32}$/.test(text) ? "" : "A CVC has 6 to 32 digits.");

export function cvc(request, signal) {
  return ask("cvc", signal, (finish) => {
    const purpose = purposeWords(request);
    const typed = cvcField("CVC", { autofocus: true, "data-field": "cvc" },
      "6 digits or more. Three wrong CVCs lock the card for a while.");
    const submit = () => {
      const problem = cvcProblem(typed.input.value);
      if (problem) typed.complain(problem);
      else finish(typed.input.value);
    };
    return dialogForm({ title: `CVC of ${cardTitle(request.card)}`, yes: purpose ? "Use this CVC" : undefined, submit,
      cancel: () => finish() },
    h("p", purpose ? `It is needed to ${purpose}.` : "This page does not know what it is needed for. Cancel."),
    request.refusal && notice("danger", request.refusal.message,
      request.repeated && h("p", "It was refused before, so it was not sent to the card again."),
      request.refusal.hint && h("p", { class: "hint" }, request.refusal.hint)),
    purpose && typed.element, saferElsewhere());
  });
}

export function newCVC(request, signal) {
  return ask("new-cvc", signal, (finish) => {
    const first = cvcField("New CVC", { autofocus: true, "data-field": "new-cvc" },
      "6 to 32 digits. Choose more than 6, and at most 16.");
    const second = cvcField("Repeat the new CVC", { "data-field": "new-cvc-again" });
    const submit = () => {
      const problem = cvcProblem(first.input.value);
      first.complain(problem);
      if (problem) return;
      if (first.input.value === second.input.value) finish(first.input.value);
      else second.complain("The two CVCs do not match.");
    };
    return dialogForm({ title: `New CVC for ${request.card ? cardTitle(request.card) : "the card"}`, yes: "Use this new CVC",
      submit, cancel: () => finish() },
    h("p", "Without it, the card cannot be used. Write it down before you continue."),
    request.refusal && notice("danger", request.refusal.message), first.element, second.element, saferElsewhere());
  });
}

export function backupKey(request, signal) {
  return ask("backup-key", signal, (finish) => {
    const typed = field("Backup key", secretInput({ autofocus: true, "data-field": "backup-key" }),
      "32 digits and letters, printed on the card that made the backup.");
    const submit = () => {
      const text = typed.input.value.replace(/[\s-]/g, "");
      if (/^[0-9a-fA-F]{32}$/.test(text)) finish(text);
      else typed.complain("A backup key is 32 digits and letters: 0 to 9, and A to F.");
    };
    return dialogForm({ title: "The backup's key", yes: "Use this key", submit, cancel: () => finish() },
      h("p", "It decrypts the backup, which is then compared. Nothing of it is shown or stored."),
      request.refusal && notice("danger", request.refusal.message), typed.element);
  });
}

export const install = () => answering({ confirm, cvc, newCVC, backupKey });
