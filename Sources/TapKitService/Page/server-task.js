// A call that needs no card, but may ask a chain server: what it reports, and what went wrong.
import { h, replace } from "./dom.js";
import { call } from "./rpc.js";
import { button, errorNotice, notice } from "./parts.js";
import { noticeWords } from "./words.js";

// Resolves to the result. What went wrong stays in the place, and the answer is undefined.
export async function runServerTask(place, text, method, params, { signal } = {}) {
  const told = h("div");
  replace(place, h("p", { class: "waiting", role: "status" }, text), told);
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
    return undefined;
  }
}

// A button whose action is not begun twice. It keeps the focus meanwhile.
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
