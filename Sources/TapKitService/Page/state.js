// What is known now: one subscription. Views read `state` and are called when it changes.
// A card on a reader is asked for its proofs at once, whichever view is shown.

import { call, onEvent } from "./rpc.js";

export const state = {
  // [{spec, name, backend, occupied, isChecking, card: {ident, product, name, simulated} | null,
  //   status: as card.prove answers, or error: why it did not}]
  readers: [],
  // As in the snapshot.
  cards: [],
  wallets: [],
  transactions: [],
  problems: [],
};

const watchers = new Set();
let subscription;
let isRefreshing = false;
let isStale = false;

// Called after each change, with the event if any, until the signal is aborted.
export function watch(watcher, signal) {
  if (signal?.aborted) return;
  watchers.add(watcher);
  signal?.addEventListener("abort", () => watchers.delete(watcher));
}

const tell = (event) => {
  for (const watcher of [...watchers]) watcher(event);
};

export const readersWithCard = () => state.readers.filter((reader) => reader.card);

// A cosigner's card, by its name if that is known.
export function cardOf({ fingerprint }) {
  const card = state.cards.find((one) => one.fingerprint === fingerprint);
  return card ? card.name ?? card.ident : `the card with the fingerprint ${fingerprint}`;
}

// Whether an accepted factory made a card.
export const isAccepted = (status) => status.genuine || status.root === "custom";

const find = (spec) => state.readers.find((one) => one.spec === spec);
const nothing = { card: null, status: undefined, error: undefined, isChecking: false };

function take(snapshot) {
  state.readers = snapshot.readers.map(({ spec, name, backend }) =>
    Object.assign(find(spec) ?? { spec, turn: 0, occupied: undefined, ...nothing }, { name, backend }));
  state.cards = snapshot.cards;
  state.wallets = snapshot.wallets;
  state.transactions = snapshot.transactions;
  state.problems = snapshot.problems ?? [];
}

export async function subscribe() {
  const answer = await call("subscribe", { readers: true });
  subscription = answer.subscription;
  state.readers = [];
  take(answer.snapshot);
  tell(null);
}

const known = ({ ident, product, name, simulated }) => ({ ident, product, name, simulated });

// Asks the card on a reader for its proofs, without its CVC.
export async function examine(spec) {
  const reader = find(spec);
  if (!reader) return;
  const turn = ++reader.turn;
  reader.isChecking = true;
  tell(null);
  const found = await call("card.prove", { reader: spec }).then((status) => ({ status, card: known(status) }),
    (error) => ({ error }));
  if (turn !== reader.turn) return;
  Object.assign(reader, nothing, found, { occupied: found.error?.code !== "no_card" });
  tell(null);
}

// What lists show is asked for again, at most once at a time.
export async function refresh() {
  isStale = true;
  if (isRefreshing) return;
  isRefreshing = true;
  while (isStale) {
    isStale = false;
    // Failing, the next event asks again.
    const snapshot = await call("snapshot").catch(() => undefined);
    if (snapshot) take(snapshot);
    tell(null);
  }
  isRefreshing = false;
}

function add(spec) {
  if (find(spec)) return;
  state.readers.push({ spec, name: spec, backend: "", turn: 0, occupied: undefined, ...nothing });
  refresh();
}

const silent = ["card_found", "card_gone", "flow", "wallet_searching", "signing_began"];

function apply({ event, reader: spec }) {
  const reader = find(spec);
  if (event === "reader_attached") {
    add(spec);
  } else if (event === "reader_detached") {
    state.readers = state.readers.filter((one) => one !== reader);
  } else if (event === "card_inserted") {
    add(spec);
    Object.assign(find(spec), { occupied: true }, nothing);
    examine(spec);
  } else if (event === "card_removed") {
    if (reader) Object.assign(reader, { occupied: false, turn: reader.turn + 1 }, nothing);
  } else if (!silent.includes(event)) {
    refresh();
  }
}

onEvent((params) => {
  if (subscription !== undefined && params.subscription !== subscription) return;
  if (params.event.event === "cut_off") {
    subscribe().catch(() => {});
    return;
  }
  apply(params.event);
  tell(params.event);
});
