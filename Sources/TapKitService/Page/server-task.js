// A call that needs no card, but may ask a chain server: what it reports, and what went wrong.
import { h, replace } from "./dom.js";
import { call } from "./rpc.js";
import { button, errorNotice, notice } from "./parts.js";
import { noticeWords } from "./words.js";

// What to do where the service itself cannot know it.
const remedies = { no_chain_server: "Choose one with tapkit config set chain, then run tapkit ui again." };

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
    error.hint ||= remedies[error.code];
    replace(place, [...told.childNodes], errorNotice(error));
    return undefined;
  }
}

// A button that is disabled while its action runs, so that it is not begun twice.
export function taskButton(text, name, action, kind) {
  const element = button(text, async () => {
    element.disabled = true;
    try {
      await action();
    } finally {
      element.disabled = false;
    }
  }, { "data-action": name, class: kind });
  return element;
}
