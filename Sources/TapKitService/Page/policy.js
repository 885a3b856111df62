// Who can spend what has a policy, and when.
import { h } from "./dom.js";
import { counted } from "./format.js";
import { grouped } from "./parts.js";

const days = (seconds) => {
  const hours = Math.round(seconds / 3600);
  if (hours < 2) return `about ${counted(Math.round(seconds / 60), "minute")}`;
  return hours < 48 ? `about ${counted(hours, "hour")}` : `about ${counted(Math.round(hours / 24), "day")}`;
};

const named = ({ keys, names = [], labels = [] }) =>
  keys.map((key, at) => key + (names[at] ? ` “${names[at]}”` : labels[at] ? ` labelled “${labels[at]}”` : ""));

function signersText(group) {
  const holders = Map.groupBy(named(group), String);
  const all = [...holders].map(([name, { length }]) => (length > 1 ? `${name} (${length} keys)` : name));
  return group.threshold === group.keys.length ? all.join(" and ") : `${group.threshold} of ${all.join(", ")}`;
}

// “a and (b or c)” from thresh(2,pk(a),thresh(1,pk(b),pk(c))).
function choiceText(policy, signers, isLocked) {
  const names = signers.flatMap(named);
  const rest = policy.match(/\w+|\W/g);
  const read = (isPart) => {
    const [word, , value] = rest.splice(0, 3);
    if (word === "1") return "anybody";
    const parts = [];
    while (rest.shift() === ",") parts.push(read(true));
    if (word === "pk") return names.shift() ?? value;
    if (word !== "thresh") return `the preimage of ${word}(${value.slice(0, 8)}…)`;
    const mark = parts.length === +value ? " and " : value === "1" ? " or " : ", ";
    const text = (mark === ", " ? `${value} of ` : "") + parts.join(mark);
    return isPart || (isLocked && mark !== " and ") ? `(${text})` : text;
  };
  return read();
}

const since = " after the coin was confirmed";

function pathText(path) {
  const { older_blocks: blocks, signers, preimages = [], choice } = path;
  const locks = [
    blocks && `${counted(blocks, "block")} (${days(blocks * 600)})${since}`,
    path.older_seconds && days(path.older_seconds) + since,
    path.after_height && `after block ${path.after_height}`,
    path.after_time && `after ${new Date(path.after_time * 1000).toLocaleString()}`,
  ].filter(Boolean);
  return [
    choice ? choiceText(choice, signers, locks[0]) : signers.map(signersText).join(", and "),
    ...locks, ...preimages.map(({ function: hash }) => `with the preimage of ${hash}`),
  ].join(", ");
}

function stateText({ taken, open, has_lock: locked, open_coins: coins, next_height: height, next_at: at }) {
  if (taken) return "this transaction takes it";
  if (open) return `open to this transaction${locked ? ", which carries this path's lock" : ""}`;
  const next = [height && `block ${height}`, at && `about ${at.slice(0, 10)}`].filter(Boolean).join(", ");
  const later = next && `from ${next}`;
  if (open === false) return `closed to this transaction${later && `, open to others ${later}`}`;
  if (coins === undefined) return "";
  return `open to ${counted(coins, "coin")}${next && `; opens to the next coin from ${next}`}`;
}

// Spending paths with their states; nobody reads more than ten.
export function pathsElement(paths, most = 10) {
  const element = (path) => {
    const state = stateText(path);
    return h("li", { "data-path": path.path, "data-taken": path.taken }, pathText(path), state && ` — ${state}`);
  };
  const rest = paths.length - most;
  return [
    h("ol", paths.slice(0, most).map(element)), rest > 0 && h("p", `and ${rest} more`),
    !paths[0] && h("p", "There are too many to list."),
  ];
}

// All that a card shall register.
export const walletElement = ({ templates, paths, keys, first_address: address }) => [
  h("p", "Compare this with your own copy, or with your cosigners': the card cannot show it."),
  h("p", templates.map((text) => h("code.long", text))),
  paths && [h("p", "Spending paths:"), pathsElement(paths, paths.length)],
  h("ul.plain", { "data-list": "keys" }, keys.map(({ fingerprint, path, key, this_card: isOwn }, number) =>
    h("li", `@${number}: ${fingerprint ? `${fingerprint} at ${path}` : "a key without an origin"}`,
      isOwn && ", this card's fingerprint", h("br"), grouped(key)))),
  address && h("p", "First address: ", grouped(address)),
];
