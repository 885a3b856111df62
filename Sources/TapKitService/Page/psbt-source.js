// Where a PSBT comes from: dropped on the view, chosen as a file, or pasted.
import { h, replace } from "./dom.js";
import { actions, button, errorNotice, field, fileBase64 } from "./parts.js";

// The service takes lines of 16 MiB.
const largest = 11 << 20;
const magic = [0x70, 0x73, 0x62, 0x74, 0xff];

// A file's PSBT as text: as it is, or as Base64 if it is binary.
async function textOf(file) {
  if (file.size > largest) throw new Error("This file is too large for a PSBT.");
  const start = new Uint8Array(await file.slice(0, 5).arrayBuffer());
  if (magic.every((byte, index) => start[index] === byte)) return fileBase64(file);
  const text = (await file.text()).trim();
  if (text === "") throw new Error("This file is empty.");
  return text;
}

// The fields; take(text) is called with what was given, and may reject it. A file may be dropped on `place`, too.
export function psbtSource(place, take) {
  const problem = h("div", { role: "alert" });
  const give = async (given) => {
    replace(problem);
    try {
      await take(await given);
    } catch (error) {
      error.hint ||= "Choose a PSBT of version 0 or 2.";
      replace(problem, errorNotice(error));
    }
  };
  const chosen = (file) => file && give(textOf(file));
  const file = field("PSBT file",
    h("input", { type: "file", "data-field": "psbt-file", onchange: () => chosen(file.input.files[0]) }),
    "Or drop it here. Nothing is signed before you agree.");
  const text = field("Or paste it, as Base64 or hexadecimal", h("textarea", {
    rows: 3, spellcheck: "false", autocomplete: "off", "data-field": "psbt-text",
  }));
  const show = button("Show what it does", () => {
    const given = text.input.value.replace(/\s+/g, "");
    text.complain(given ? "" : "Paste a PSBT first.");
    if (given) give(given);
  }, { "data-action": "review" });
  const zone = h("div", { class: "drop", "data-drop": "" }, file.element, text.element,
    actions(show), problem);
  const over = (isOver) => (event) => {
    event.preventDefault();
    zone.classList.toggle("over", isOver);
  };
  place.addEventListener("dragover", over(true));
  place.addEventListener("dragleave", over(false));
  place.addEventListener("drop", (event) => {
    over(false)(event);
    // Not into another transaction that is shown, or being signed.
    if (zone.isConnected) chosen(event.dataTransfer?.files[0]);
  });
  return zone;
}
