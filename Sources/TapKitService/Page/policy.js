// Who can spend what has a policy, and when: of a wallet, of a transaction, and before a wallet is registered.
import { h } from "./dom.js";
import { counted } from "./format.js";

// About how long blocks take.
const days = (seconds) => {
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? `about ${counted(hours, "hour")}` : `about ${counted(Math.round(hours / 24), "day")}`;
};

const signersText = ({ threshold, keys }) =>
  threshold === keys.length ? keys.join(" and ") : `${threshold} of ${keys.join(", ")}`;

// A spending path in one line.
export function pathText(path) {
  return [
    path.signers.map(signersText).join(", and "),
    path.older_blocks
      && `${counted(path.older_blocks, "block")} (${days(path.older_blocks * 600)}) after the coin was confirmed`,
    path.older_seconds && `${days(path.older_seconds)} after the coin was confirmed`,
    path.after_height && `after block ${path.after_height}`,
    path.after_time && `after ${new Date(path.after_time * 1000).toLocaleString()}`,
    ...(path.preimages ?? []).map((preimage) => `with the preimage of ${preimage.function}`),
  ].filter(Boolean).join(", ");
}

function stateText({ taken, open, open_coins: coins, next_height: next }) {
  if (taken) return "this transaction takes it";
  if (open) return "open, too";
  const later = next === undefined ? "" : `from block ${next}`;
  if (open === false) return later ? `closed, ${later} open` : "closed to this transaction";
  if (coins === undefined) return "";
  return `open to ${counted(coins, "coin")}${later && `, to the next ${later}`}`;
}

// A list of spending paths, each with its state.
export const pathsElement = (paths) => h("ol", { class: "paths" }, paths.map((path) => {
  const state = stateText(path);
  return h("li", { "data-path": path.path, "data-taken": path.taken }, pathText(path), state && ` — ${state}`);
}));
