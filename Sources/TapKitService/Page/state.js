// What is known now: one subscription for the whole page. Views read `state` and are called when it changes.

import { call, onEvent } from "./rpc.js";

export const state = {
  // [{spec, name, backend, occupied, card: {ident, product, simulated} | null, lay: how often something was put on it}]
  readers: [],
  // As in the snapshot: cards that were seen before, wallets, stored transactions, what is wrong with the store.
  cards: [],
  wallets: [],
  transactions: [],
  problems: [],
};

const watchers = new Set();
let subscription;
let isRefreshing = false;
let isStale = false;

// watch(({event, …} | null) => …): called after each change, with the event if there was one. Returns how to stop.
export function watch(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const tell = (event) => {
  for (const watcher of [...watchers]) watcher(event);
};

// The readers with a card that can be used.
export const readersWithCard = () => state.readers.filter((reader) => reader.card);

function take(snapshot) {
  const before = new Map(state.readers.map((reader) => [reader.spec, reader]));
  state.readers = snapshot.readers.map((reader) => ({
    ...reader, lay: 0, ...before.get(reader.spec), name: reader.name, backend: reader.backend,
  }));
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

// What lists show is asked for again, at most once at a time.
async function refresh() {
  isStale = true;
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    while (isStale) {
      isStale = false;
      take(await call("snapshot"));
      tell(null);
    }
  } catch {
    // The next event asks again.
  } finally {
    isRefreshing = false;
  }
}

const reader = (spec) => {
  let found = state.readers.find((one) => one.spec === spec);
  if (!found) {
    found = { spec, name: spec, backend: "", occupied: undefined, card: null, lay: 0 };
    state.readers.push(found);
    refresh();
  }
  return found;
};

function apply(event) {
  switch (event.event) {
    case "reader_attached":
      reader(event.reader);
      return;
    case "reader_detached":
      state.readers = state.readers.filter((one) => one.spec !== event.reader);
      return;
    case "card_inserted":
      Object.assign(reader(event.reader), { occupied: true, lay: reader(event.reader).lay + 1 });
      return;
    case "card_removed":
      Object.assign(reader(event.reader), { occupied: false, card: null });
      return;
    case "card_found":
      Object.assign(reader(event.reader), {
        occupied: true, card: { ident: event.card, product: event.product, simulated: event.simulated },
      });
      return;
    case "card_gone":
      reader(event.reader).card = null;
      return;
    case "flow":
    case "wallet_searching":
    case "signing_began":
      return;
    default:
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
