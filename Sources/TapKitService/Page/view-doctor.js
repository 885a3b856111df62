// What stands between a person and a card on the reader, the worst first.

import { announce, h, icon, replace } from "./dom.js";
import { call } from "./rpc.js";
import { actions, button, errorNotice, notice } from "./parts.js";
import { watch } from "./state.js";

function findingElement({ check, ok, evidence, remedy }) {
  const kind = ok ? (remedy ? "info" : "ok") : "danger";
  return h("li", { "data-check": check },
    h("div", { class: `notice ${kind}` }, icon(kind),
      h("div", h("h3", ok ? (remedy ? "Possible problem: " : "OK: ") : "Problem: ", check.replaceAll("_", " ")),
        h("p", evidence), remedy && h("p", h("strong", "Remedy: "), remedy))));
}

async function render(main, _, signal) {
  const place = h("div.stack", { id: "doctor-findings" });
  const again = button("Check again", examine, { class: "primary" });
  let isRunning = false;

  async function examine() {
    if (isRunning) return;
    isRunning = true;
    replace(place, h("p.waiting", "Checking this machine…"));
    try {
      const { findings, usable } = await call("doctor");
      const weight = ({ ok, remedy }) => (ok ? (remedy ? 1 : 2) : 0);
      findings.sort((left, right) => weight(left) - weight(right));
      const words = `${usable ? "A" : "No"} card can be used now.`;
      replace(place, notice(usable ? "ok" : "danger", words),
        h("h2", "What was checked"), h("ul.plain", findings.map(findingElement)));
      place.dataset.usable = String(usable);
      announce(words);
    } catch (error) {
      replace(place, errorNotice(error));
    } finally {
      isRunning = false;
    }
  }

  replace(main, h("h1", "Doctor"),
    h("p.lead",
      "What keeps a reader or a card from being used, and what to do about it. Nothing is changed."),
    actions(again), place);
  examine();
  // A reader that came or went changes what was found.
  watch((event) => {
    if (event && /^reader_/.test(event.event)) examine();
  }, signal);
}

export default { title: "Doctor", render };
