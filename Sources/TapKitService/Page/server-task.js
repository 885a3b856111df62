// A call that needs no card, but may ask a chain server: what it reports, and what went wrong.
import { h, replace } from "./dom.js";
import { call } from "./rpc.js";
import { errorNotice, notice } from "./parts.js";
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

// Runs an action with its button disabled meanwhile, so that it is not begun twice.
export function once(button, action) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await action();
    } finally {
      button.disabled = false;
    }
  });
  return button;
}
