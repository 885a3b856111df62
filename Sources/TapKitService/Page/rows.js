// Lists of money: a row has what it is on the left, and how much on the right.
import { h } from "./dom.js";
import { amount } from "./format.js";

export const rows = (name, items) => h("ul", { class: "rows", "data-list": name }, items);

export const row = (props, main, side) => h("li", { class: "row", ...props },
  h("span", { class: "row-main" }, main), side && h("span", { class: "row-side" }, side));

export const faint = (...children) => h("span", { class: "faint" }, children);
export const money = (sat, network) => h("strong", { class: "amount" }, amount(sat, network));
export const hint = (text) => h("p", { class: "hint" }, text);
