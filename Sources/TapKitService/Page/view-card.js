// Readers and the cards on them, as they come and go.

import { announce, focusOn, h, replace } from "./dom.js";
import { alarms, condition, failure, genuineness, statusElement } from "./card-status.js";
import { actions, button, doctorLink, errorNotice, notice } from "./parts.js";
import { cardTitle } from "./format.js";
import { examine, isAccepted, state, watch } from "./state.js";

function stateOf({ isChecking, status, error, occupied }) {
  if (isChecking) return "checking";
  if (status) return isAccepted(status) && !status.tampered ? "ready" : "danger";
  if (error && error.code !== "no_card") return alarms.includes(error.code) ? "danger" : "problem";
  return occupied ? "checking" : "empty";
}

function readerElement(reader) {
  const { status, error, spec } = reader;
  const name = stateOf(reader);
  const words = {
    checking: "Checking that the card is genuine…", empty: "No card. Put a card flat on the reader, and nothing else.",
  };
  const content = words[name] ? h("p.waiting", words[name]) : [
    status ? statusElement(status) : failure(error),
    actions(button("Check again", () => examine(spec), { class: status && "quiet", "data-action": "prove" }))];
  return h("section.card", { "data-state": name, "data-card": status?.ident },
    h("h2.reader-name", reader.name),
    h("div.stack", content));
}

// The same for a screen reader.
const sentence = ({ status, error }) => (status
  ? [`${cardTitle(status)}:`, status.tampered && "TAMPERED WITH.",
    genuineness(status).querySelector(".notice-title").textContent, isAccepted(status) && `${condition(status)}.`]
    .filter(Boolean).join(" ")
  : error?.message ?? "No card.");

async function render(main, _, signal) {
  const list = h("div.stack", { id: "readers" });
  const trouble = h("div");
  const empty = notice("info", "No reader is attached.", "Connect one; the page notices it by itself.", doctorLink());
  empty.id = "no-reader";
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
      const isInside = before?.element.contains(document.activeElement);
      if (before) before.element.replaceWith(element);
      else list.append(element);
      if (isInside) focusOn(element);
      shown.set(reader.spec, { element, mark });
    }
    const isDown = ({ code }) => code === "no_pcscd";
    empty.hidden = state.readers.length > 0 || state.problems.some(isDown);
    announce(state.readers.map(sentence).join(" "));
    replace(trouble, state.problems.map((problem) => {
      const element = errorNotice(problem, "warning");
      if (isDown(problem)) element.lastChild.append(doctorLink());
      return element;
    }));
  }

  replace(main, h("h1", "Reader and card"),
    h("p.lead",
      "Put a card on a reader: tapkit asks it for its proofs, without its CVC, and says what it is."),
    trouble, empty, list);
  refresh();
  watch(refresh, signal);
}

export default { title: "Reader and card", render };
