// Calls that take their time.

import { announce, focusOn, h, isLost, replace } from "./dom.js";
import { asks, call } from "./rpc.js";
import { actions, button, errorNotice, notice } from "./parts.js";
import { examine, state } from "./state.js";
import { noticeWords, progressWords, waitsForHand } from "./words.js";

// Of a task, for a card that was removed: in seconds.
const patience = 600;
let running = 0;

// A card in use may come and go.
export const isRunning = () => running > 0;

// Runs a method, with its progress in `place`. Resolves to the result, or to nothing: what went wrong stays there.
// Elements in `busy` are disabled meanwhile.
export async function runTask(place, method, params, { title, onProgress, onNotice, signal, busy = [] } = {}) {
  const control = new AbortController();
  const words = h("p.task-words", "Working. Leave the card on the reader…");
  const bar = h("progress", { "aria-label": "Progress" });
  const told = h("div");
  const cancel = button("Cancel", () => {
    control.abort();
    cancel.disabled = true;
    replace(words, "Stopping as soon as that is safe…");
  }, { "data-action": "cancel-task" });
  const panel = h("section.task.card", { "aria-label": title ?? "Progress" },
    title && h("h2", title), words, bar, told,
    asks() === "both" && h("p.hint",
      "If a CVC is needed, pinentry asks for it: in a window, or in the terminal of tapkit ui."),
    actions(cancel));
  signal?.addEventListener("abort", () => control.abort());
  replace(place, panel);
  for (const element of busy) element.disabled = true;
  // The button that began this has lost the focus.
  focusOn(panel);
  running += 1;
  try {
    const result = await call(method, { asks: asks(), wait_s: patience, ...params }, {
      signal: control.signal,
      onProgress(event) {
        const text = progressWords(event);
        if (text && !cancel.disabled) replace(words, text);
        if (text) announce(text);
        panel.classList.toggle("waits", waitsForHand(event));
        if (event.total) Object.assign(bar, { max: event.total, value: event.done });
        else bar.removeAttribute("value");
        onProgress?.(event);
      },
      onNotice(given) {
        const text = noticeWords(given);
        if (/^(attach_reader|place_)/.test(given.notice)) replace(words, text);
        else if (text) told.append(notice(given.notice === "fee_rate" ? "info" : "warning", text));
        if (text) announce(text);
        onNotice?.(given);
      },
    });
    replace(place, [...told.childNodes]);
    return result;
  } catch (error) {
    replace(place, errorNotice(error));
  } finally {
    running -= 1;
    for (const element of busy) element.disabled = false;
    announce("");
    if (isLost()) focusOn(place);
    // The task may have changed the card: it is asked again.
    for (const { spec, occupied } of state.readers) if (occupied && (params.reader ?? spec) === spec) examine(spec);
  }
}

// The same for a call that needs no card, but may ask a chain server.
export async function runServerTask(place, text, method, params, { signal } = {}) {
  const told = h("div");
  replace(place, h("p.waiting", { role: "status" }, text), told);
  try {
    const result = await call(method, params, {
      signal,
      onNotice(given) {
        const words = noticeWords(given);
        if (words) told.append(notice("info", words));
      },
    });
    replace(place, [...told.childNodes]);
    return result;
  } catch (error) {
    replace(place, [...told.childNodes], errorNotice(error));
  }
}

// A button whose action is not begun twice. It keeps the focus.
export function taskButton(text, name, action, kind) {
  const element = button(text, async () => {
    if (element.ariaDisabled) return;
    element.ariaDisabled = "true";
    try {
      await action();
    } finally {
      element.ariaDisabled = null;
    }
  }, { "data-action": name, class: kind });
  return element;
}
