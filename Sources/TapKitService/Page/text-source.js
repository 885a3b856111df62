// Where a text comes from: a file, or what is pasted.
import { h, replace } from "./dom.js";
import { actions, errorNotice, field, fileBase64 } from "./parts.js";
import { taskButton } from "./task.js";

// The service takes lines of 16 MiB.
const largest = 11 << 20;
const psbt = [0x70, 0x73, 0x62, 0x74, 0xff];

// A file as text; a binary PSBT as Base64.
async function textOf(file) {
  if (file.size > largest) throw new Error("This file is too large.");
  const start = new Uint8Array(await file.slice(0, 5).arrayBuffer());
  if (psbt.every((byte, index) => start[index] === byte)) return fileBase64(file);
  const text = (await file.text()).trim();
  if (text === "") throw new Error("This file is empty.");
  return text;
}

// The fields; take(text) may reject. A file, also one dropped on `place`, is taken at once, or `fills` the field first.
export function textSource(place, { name, what, hint, form, action, advice, fills }, take) {
  const problem = h("div.outcome", { role: "alert" });
  const give = async (given) => {
    replace(problem);
    try {
      await take(await given);
    } catch (error) {
      error.hint ||= advice;
      replace(problem, errorNotice(error));
    }
  };
  const fill = (given) => {
    zone.closest("details").open = true;
    text.input.value = given;
  };
  const chosen = (file) => file && (fills ? textOf(file).then(fill, (error) => give(Promise.reject(error)))
    : give(textOf(file)));
  const file = field(`${what} file`,
    h("input", { type: "file", "data-field": `${name}-file`, onchange: () => chosen(file.input.files[0]) }),
    `Or drop it here. ${hint}`);
  const text = field(`Or paste it${form}`, h("textarea", {
    rows: 3, spellcheck: "false", autocomplete: "off", "data-field": `${name}-text`,
  }));
  const show = taskButton(action[1], action[0], async () => {
    const given = text.input.value.trim();
    text.complain(given ? "" : "Paste it first.");
    if (given) await give(given);
  });
  const zone = h("div.drop", { "data-drop": "" }, file.element, text.element,
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
