// Who can spend what has a policy, and when: of a wallet, and of a transaction.
import { h } from "./dom.js";
import { counted } from "./format.js";
import { grouped } from "./parts.js";

// So many paths are shown: more than anybody reads.
const listed = 10;

// About how long blocks take.
const days = (seconds) => {
  const hours = Math.round(seconds / 3600);
  if (hours < 2) return `about ${counted(Math.round(seconds / 60), "minute")}`;
  return hours < 48 ? `about ${counted(hours, "hour")}` : `about ${counted(Math.round(hours / 24), "day")}`;
};

const signersText = ({ threshold, keys }) =>
  threshold === keys.length ? keys.join(" and ") : `${threshold} of ${keys.join(", ")}`;

// A spending path in one line.
function pathText(path) {
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
export function pathsElement(paths, most = listed) {
  const element = (path) => {
    const state = stateText(path);
    return h("li", { "data-path": path.path, "data-taken": path.taken }, pathText(path), state && ` — ${state}`);
  };
  const rest = paths.length - most;
  return [h("ol", paths.slice(0, most).map(element)), rest > 0 && h("p", `and ${rest} more`)];
}

// The whole wallet that a card shall register, to be compared.
export const walletElement = ({ templates, paths, keys, first_address: address }) => [
  h("p", "Compare this with your own copy, or with your cosigners': the card cannot show it."),
  h("p", templates.map((text) => h("code.long", text))),
  paths && [h("p", "Spending paths:"), pathsElement(paths, paths.length)],
  h("ul.plain", { "data-list": "keys" }, keys.map(({ fingerprint, path, key, this_card: isOwn }, number) =>
    h("li", `@${number}: ${fingerprint ? `${fingerprint} at ${path}` : "a key without an origin"}`,
      isOwn && ", this card's fingerprint", h("br"), grouped(key)))),
  address && h("p", "First address: ", grouped(address)),
];
