// Who can spend what has a policy, and when: of a wallet, of a transaction, and before a wallet is registered.
import { h } from "./dom.js";
import { counted } from "./format.js";

// So many paths are shown: more than anybody reads.
const listed = 10;

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
  if (open) return "open to this transaction";
  const later = next === undefined ? "" : `from block ${next}`;
  if (open === false) return `closed to this transaction${later && `, open to others ${later}`}`;
  if (coins === undefined) return "";
  return `open to ${counted(coins, "coin")}${later && `, to the next ${later}`}`;
}

// A list of spending paths, each with its state.
export function pathsElement(paths) {
  const element = (path) => {
    const state = stateText(path);
    return h("li", { "data-path": path.path, "data-taken": path.taken }, pathText(path), state && ` — ${state}`);
  };
  const rest = paths.length - listed;
  return [h("ol", { class: "paths" }, paths.slice(0, listed).map(element)), rest > 0 && h("p", `and ${rest} more`)];
}
