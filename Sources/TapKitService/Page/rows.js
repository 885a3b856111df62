// Lists of money: a row has what it is on the left, and how much on the right.
import { h } from "./dom.js";
import { amount } from "./format.js";
import { details } from "./parts.js";

export const rows = (name, items) => h("ul", { class: "rows", "data-list": name }, items);

export const row = (props, main, side) => h("li", { class: "row", ...props },
  h("span", { class: "row-main" }, main), side && h("span", { class: "row-side" }, side));

export const faint = (...children) => h("span", { class: "faint" }, children);
export const money = (sat, network) => h("strong", { class: "amount" }, amount(sat, network));
export const hint = (text) => h("p", { class: "hint" }, text);

// Details that are made when they are asked for: a transaction or a wallet may have thousands of them.
export function unfolding(summary, make) {
  const element = details(summary);
  element.addEventListener("toggle", () => element.append(...[make()].flat().filter(Boolean)), { once: true });
  return element;
}
