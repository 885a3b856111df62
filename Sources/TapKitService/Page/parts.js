// What views are made of: notices, facts, buttons, fields, lists of money.

import { h, icon, replace } from "./dom.js";
import { amount } from "./format.js";

const paragraphs = (children) =>
  children.flat().map((child) => (child && typeof child === "string" ? h("p", child) : child));

export const notice = (kind, title, ...children) =>
  h("div", { class: `notice ${kind}`, role: kind === "danger" && "alert" },
    icon(kind), h("div", h("p.notice-title", title), paragraphs(children)));

export const doctorLink = () => h("p", link("Find out why a reader or a card does not work", "#/doctor",
  { class: "button", "data-next": "doctor" }));

// What to do where the service itself cannot know it.
const remedies = {
  no_chain_server: "Choose one in a terminal: tapkit config set chain electrum:HOST:PORT:s (or esplora:URL, core:URL). "
    + "Then run tapkit ui again.",
  fee_needed: "Choose a fee rate of your own.",
};

// What went wrong and what to do, from an RPCError or a document's problem.
export function errorNotice(error, kind = "danger") {
  const cancelled = ["declined", "cancelled", "interrupted"].includes(error.code);
  const element = notice(cancelled ? "info" : kind, error.message, error.details ?? [],
    error.hint || remedies[error.code]);
  element.dataset.error = error.code ?? "";
  return element;
}

// [[name, value], …]; a value that is missing leaves its row out.
export const facts = (rows, props = {}) =>
  h("dl.facts", { ...props },
    rows.filter((row) => row && (row[1] ?? false) !== false)
      .map(([name, value]) => h("div", h("dt", name), h("dd", value))));

// A form that does not leave the page.
export const form = (props, submit, ...children) => h("form", {
  novalidate: true, autocomplete: "off", ...props, onsubmit(event) {
    event.preventDefault();
    submit();
  },
}, children);

export const textInput = (props) => h("input", { type: "text", autocomplete: "off", spellcheck: "false", ...props });
export const button = (text, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, text);
export const link = (text, href, props = {}) => h("a", { href, ...props }, text);

// A label with its field, a hint below it and a place for what is wrong.
export function field(label, input, hint) {
  const id = input.id || `field-${crypto.randomUUID()}`;
  input.id = id;
  const problem = h("p.field-problem", { id: `${id}-problem`, role: "alert" });
  input.setAttribute("aria-describedby", `${hint ? `${id}-hint ` : ""}${id}-problem`);
  const element = h("div.field", h("label", { for: id }, label), input,
    hint && h("p.hint", { id: `${id}-hint` }, hint), problem);
  return {
    element, input,
    complain(text) {
      replace(problem, text);
      input.setAttribute("aria-invalid", text ? "true" : "false");
      if (text) input.focus();
    },
  };
}

export function check(text, props = {}) {
  const input = h("input", { type: "checkbox", ...props });
  return { input, element: h("label.check", input, h("span", text)) };
}

// A long text to be compared and copied: it breaks anywhere, and is read in groups of four.
export function grouped(text) {
  const parts = String(text).match(/.{1,4}/gsu) ?? [];
  return h("code.long", parts.map((part) => h("span.group", part)));
}

export function copyButton(text, what = "Copy") {
  const element = h("button", { type: "button", class: "quiet" }, icon("copy"), h("span", what));
  element.addEventListener("click", async () => {
    const said = await navigator.clipboard.writeText(text).then(() => "Copied",
      () => "Select and copy the text by hand");
    replace(element.lastChild, said);
    setTimeout(() => replace(element.lastChild, what), 2000);
  });
  return element;
}

export const actions = (...children) => h("div.actions", children);

export const section = (id, title, ...children) =>
  h("section.card.stack", { id, "aria-label": title }, h("h2", title), paragraphs(children));

export const details = (summary, ...children) => h("details", h("summary", summary), children);

export function download(name, base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes]));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

export const fileBase64 = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.split(",")[1] ?? "");
  reader.onerror = reject;
  reader.readAsDataURL(file);
});

export const rows = (name, items) => h("ul.rows", { "data-list": name }, items);

export const row = (props, main, side) => h("li.row", { ...props },
  h("span.row-main", main), side && h("span.row-side", side));

export const faint = (...children) => h("span.faint", children);
export const money = (sat, network) => h("strong.amount", amount(sat, network));
export const hint = (text) => h("p.hint", text);

// Details, made when they are asked for: there may be thousands.
export function unfolding(summary, make) {
  const element = details(summary);
  element.addEventListener("toggle", () => element.append(...[make()].flat().filter(Boolean)), { once: true });
  return element;
}
