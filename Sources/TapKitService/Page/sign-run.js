// Signing with cards, one after the other: what has signed is shown card by card.
import { h, replace } from "./dom.js";
import { cardOf, state } from "./state.js";
import { runTask } from "./task.js";
import { waitsForHand } from "./words.js";

// Resolves to the answer of sign, or to nothing: what went wrong stays in the place.
export async function runSigning(place, params, signal) {
  const cards = new Map();
  const list = h("ul.signers", { "data-list": "signers", "aria-label": "Cards" });
  const [next, progress] = [h("p.next-signers", { hidden: true }), h("div")];
  replace(place, list, next, progress);
  const show = () => replace(list, [...cards].map(([ident, card]) => signerElement(ident, card)));
  return runTask(progress, "sign", params, {
    title: "Signing", signal,
    onProgress(event) {
      const card = cards.get(event.card) ?? { done: 0, total: 0 };
      cards.set(event.card, card);
      if (event.simulated) card.isSimulated = true;
      if (event.event === "signed") Object.assign(card, { done: event.done, total: event.total });
      card.isAwaited = waitsForHand(event);
      next.hidden = true;
      show();
    },
    onNotice({ notice, missing }) {
      if (notice !== "place_next_signer") return;
      next.hidden = false;
      replace(next, `Next: ${missing.can_sign.map((fingerprint) => cardOf({ fingerprint })).join(" or ")}.`);
    },
  });
}

function signerElement(ident, { done, total, isSimulated, isAwaited }) {
  const name = state.cards.find((card) => card.ident === ident)?.name;
  const count = total > 0 ? `${done} of ${total} signed` : "Nothing signed yet";
  const waits = isAwaited && (total === 0 || done < total);
  return h("li", { "data-signer": ident, "data-done": done },
    h("span.signer-name", `${isSimulated ? "SIMULATED " : ""}${name ? `${name} (${ident})` : ident}`),
    h("progress", { value: done, max: total || 1, "aria-label": `Signatures of ${name ?? ident}` }),
    h("span", { class: waits ? "signer-state waits" : "signer-state" },
      `${count}.${waits ? " Put it back on the reader to continue." : ""}`));
}
