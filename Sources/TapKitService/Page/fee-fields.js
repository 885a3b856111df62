// The choice of a fee.
import { h } from "./dom.js";
import { field, textInput } from "./parts.js";

const targets = [[1, "in the next block"], [3, "within 3 blocks"], [6, "within 6 blocks, about an hour"],
  [144, "within 144 blocks, about a day"]];

// The fields; params() answers sat_per_vb or target, or undefined if something wrong is shown.
export function feeFields() {
  const kind = field("Fee: confirm", h("select", { "data-field": "fee-kind" },
    ...targets.map(([blocks, text]) =>
      h("option", { value: String(blocks), selected: blocks === 6 }, text)),
    h("option", { value: "rate" }, "at my own rate")), "The chain server is asked for the rate.");
  const rate = field("Rate in sat/vB", textInput({ inputmode: "decimal", "data-field": "fee-rate" }));
  rate.element.hidden = true;
  kind.input.addEventListener("change", () => {
    const isOwn = kind.input.value === "rate";
    rate.element.hidden = !isOwn;
    kind.element.querySelector(".hint").hidden = isOwn;
  });
  return {
    element: h("div.pair", kind.element, rate.element),
    params() {
      rate.complain("");
      if (kind.input.value !== "rate") return { target: Number(kind.input.value) };
      const text = rate.input.value.trim();
      if (/^\d{1,6}(\.\d{1,3})?$/.test(text)) return { sat_per_vb: text };
      rate.complain("Enter a number such as 12.5.");
    },
  };
}
