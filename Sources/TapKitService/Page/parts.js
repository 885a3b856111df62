// What views are made of: notices, facts, buttons, fields.

import { h, icon, replace } from "./dom.js";

// kind: info, ok, warning or danger.
export const notice = (kind, title, ...children) =>
  h("div", { class: `notice ${kind}`, role: kind === "danger" ? "alert" : false, "data-notice": kind },
    icon(kind), h("div", h("p", { class: "notice-title" }, title), children));

// What went wrong and what to do about it, from an RPCError or from a problem in a document.
export function errorNotice(error, kind = "danger") {
  const cancelled = ["declined", "cancelled", "interrupted"].includes(error.code);
  const element = notice(cancelled ? "info" : kind, error.message,
    (error.details ?? []).map((text) => h("p", text)), error.hint && h("p", { class: "hint" }, error.hint));
  element.setAttribute("data-error", error.code ?? "");
  return element;
}

// [[name, value], …]; a value that is missing leaves its row out.
export const facts = (rows, props = {}) =>
  h("dl", { class: "facts", ...props },
    rows.filter((row) => row && row[1] !== undefined && row[1] !== null && row[1] !== false)
      .map(([name, value]) => h("div", h("dt", name), h("dd", value))));

export const button = (text, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, text);
export const link = (text, href, props = {}) => h("a", { href, ...props }, text);

// A label with its field, a hint below it and a place for what is wrong.
export function field(label, input, hint) {
  const id = input.id || `field-${crypto.randomUUID()}`;
  input.id = id;
  const problem = h("p", { class: "field-problem", id: `${id}-problem`, role: "alert" });
  input.setAttribute("aria-describedby", `${hint ? `${id}-hint ` : ""}${id}-problem`);
  const element = h("div", { class: "field" }, h("label", { for: id }, label), input,
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint), problem);
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
  return { input, element: h("label", { class: "check" }, input, h("span", text)) };
}

// A long text to be compared and copied: it breaks anywhere, and is read in groups of four.
export function grouped(text) {
  const parts = String(text).match(/.{1,4}/gsu) ?? [];
  return h("code", { class: "long", "data-text": text }, parts.map((part) => h("span", { class: "group" }, part)));
}

export function copyButton(text, what = "Copy") {
  const element = h("button", { type: "button", class: "quiet", "data-copy": text }, icon("copy"), h("span", what));
  element.addEventListener("click", async () => {
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      said = "Select and copy the text by hand";
    }
    replace(element.lastChild, said);
    setTimeout(() => replace(element.lastChild, what), 2000);
  });
  return element;
}

export const details = (summary, ...children) => h("details", h("summary", summary), children);

// Offers bytes as a file.
export function download(name, base64, type = "application/octet-stream") {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const anchor = h("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// The bytes of a file that was chosen, as base64.
export async function fileBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}
