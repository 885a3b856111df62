// Starts the page: session, subscription, and which view is shown.

import { announce, focusOn, h, icon, isLost, replace } from "./dom.js";
import { connect, onEnd } from "./rpc.js";
import { alarms } from "./card-status.js";
import { errorNotice } from "./parts.js";
import { install } from "./dialogs.js";
import { isAccepted, state, subscribe, watch } from "./state.js";

const views = ["card", "satscard", "setup", "sign", "wallets", "wallet", "pay", "doctor"];
const entries = { wallet: "wallets", pay: "wallets" };

const main = document.getElementById("main");
let turn = 0;
let leaving;
let isOver = false;

async function show() {
  const [, name = "card", rest = ""] = /^#\/([a-z]+)(?:\/(.*))?$/.exec(location.hash) ?? [];
  const view = views.includes(name) ? name : "card";
  const mine = ++turn;
  for (const link of document.querySelectorAll("#nav a")) {
    link.ariaCurrent = link.getAttribute("href") === `#/${entries[view] ?? view}` ? "page" : null;
  }
  try {
    const module = (await import(`./view-${view}.js`)).default;
    if (mine !== turn || isOver) return;
    leaving?.abort();
    leaving = new AbortController();
    announce("");
    document.title = `${module.title} · tapkit`;
    const place = h("div.view", { "data-view": view });
    replace(main, place);
    await module.render(place, decodeURIComponent(rest), leaving.signal);
    if (isLost()) focusOn(place.querySelector("h1"));
  } catch (error) {
    if (error instanceof URIError) return location.replace("#/card");
    if (mine === turn && !isOver) replace(main, errorNotice(error));
  }
}

function showPresence() {
  const cards = state.readers.filter((reader) => reader.card);
  const other = state.readers.find((reader) => reader.occupied && !reader.card);
  const isFalse = state.readers.some(({ status, error }) =>
    (status ? !isAccepted(status) : alarms.includes(error?.code)));
  const isBad = isFalse || cards.some(({ status }) => status?.tampered);
  const [first] = cards;
  const text = isFalse ? "DO NOT USE" : isBad ? "TAMPERED WITH" : cards.length > 1 ? `${cards.length} cards`
    : first ? `${first.card.simulated ? "SIMULATED " : ""}${first.card.product.toUpperCase()}`
      : other ? other.isChecking ? "Checking a card" : "Unreadable card" : state.readers.length ? "No card"
        : "No reader";
  const place = document.getElementById("presence");
  place.dataset.presence = isBad ? "danger" : first ? "card" : other ? "unknown" : "none";
  if (place.textContent !== text) replace(place, icon("card"), h("span", text));
}

// The whole page says one thing, and nothing else can be done with it.
function end(name, title, text) {
  isOver = true;
  leaving?.abort();
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  document.title = `${title} · tapkit`;
  replace(document.body, h("main.over", { "data-over": name },
    h("div", { role: "alert" }, icon("info"), h("h1", title), h("p", text))));
}

async function start() {
  install();
  try {
    await connect();
    onEnd(() => end("ended", "tapkit has ended.",
      "Close this tab and run tapkit ui again. Signatures are stored as they are made."));
    await subscribe();
  } catch (error) {
    if (isOver) return;
    if (/^link/.test(error.code)) {
      return end("used", error.code === "link_used" ? "This page's link has been used."
        : "This address does not let you in.",
      "It lets one browser in, once. Close this tab and run tapkit ui again.");
    }
    if (error.code === "ended") return end("ended", "tapkit does not answer.", "Run tapkit ui again.");
    return replace(main, errorNotice(error));
  }
  watch(showPresence);
  showPresence();
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  // A file that is dropped beside its field must not replace the page.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
  addEventListener("hashchange", () => {
    // The link that leads to a view loses the focus to its heading.
    document.activeElement?.blur();
    show();
  });
  show();
}

start();
