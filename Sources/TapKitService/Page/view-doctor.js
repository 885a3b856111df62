// What stands between a person and a card on the reader, the worst first.

import { announce, h, icon, replace } from "./dom.js";
import { call } from "./rpc.js";
import { actions, button, errorNotice, notice } from "./parts.js";
import { watch } from "./state.js";

function findingElement({ check, ok, evidence, remedy }) {
  const kind = ok ? (remedy ? "info" : "ok") : "danger";
  return h("li", { "data-check": check },
    h("div", { class: `notice ${kind}` }, icon(kind),
      h("div", h("h3", ok ? (remedy ? "Possible problem: " : "In order: ") : "Problem: ", check.replaceAll("_", " ")),
        h("p", evidence), remedy && h("p", h("strong", "Remedy: "), remedy))));
}

async function render(main) {
  const place = h("div", { class: "stack", id: "doctor-findings" });
  const again = button("Check again", examine, { class: "primary" });
  let isRunning = false;

  async function examine() {
    if (isRunning) return;
    isRunning = true;
    replace(place, h("p", { class: "waiting" }, "Checking this machine…"));
    try {
      const { findings, usable } = await call("doctor");
      const weight = ({ ok, remedy }) => (ok ? (remedy ? 1 : 2) : 0);
      const sorted = [...findings].sort((left, right) => weight(left) - weight(right));
      replace(place,
        usable ? notice("ok", "A card can be used now.") : notice("danger", "No card can be used now."),
        h("h2", "What was checked"), h("ul", { class: "plain" }, sorted.map(findingElement)));
      place.dataset.usable = String(usable);
      announce(usable ? "A card can be used now." : "No card can be used now.");
    } catch (error) {
      replace(place, errorNotice(error));
    } finally {
      isRunning = false;
    }
  }

  replace(main, h("h1", "Doctor"),
    h("p", { class: "lead" },
      "What keeps a reader or a card from being used, and what to do about it. Nothing is changed."),
    actions(again), place);
  examine();
  // A reader that was attached or removed changes what was found.
  return watch((event) => {
    if (event && /^reader_/.test(event.event)) examine();
  });
}

export default { title: "Doctor", render };
