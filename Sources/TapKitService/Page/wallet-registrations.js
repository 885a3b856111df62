import { h, replace } from "./dom.js";
import { date } from "./format.js";
import { asks } from "./rpc.js";
import { actions, button, download, faint, notice, row, rows, section } from "./parts.js";
import { runServerTask, runTask, taskButton } from "./task.js";
import { cardOf } from "./state.js";

const broken = ({ registrations = [] }) => registrations.filter(({ registration }) => !registration);
export const isAltered = (wallet) => broken(wallet).length > 0;

// A card can have a key of which the wallet says whose it is.
const canBe = ({ descriptors }) => descriptors.some((text) => /\[[0-9a-f]{8}[/\dh']*\]/.test(text));

const saveButton = (name, { registration }) => button("Save the registration",
  () => download(`${name}.registration`, btoa(`${registration}\n`)), { "data-action": "save-registration" });

// The section, which show(wallet) draws.
export function registrationSection(name, signal) {
  const [list, task] = [h("div"), h("div")];
  const register = button("Register with a card", async () => {
    const made = await runTask(task, "wallet.register", { wallet: name },
      { title: "Registering the wallet", signal, busy: [register] });
    if (made) {
      replace(task, notice("ok", `Registered with ${cardOf(made)}.`, "With the file you can restore the "
        + "wallet on another computer. Keep it to yourself: whoever listened to the reader learns the CVC with it.",
      actions(saveButton(name, made))));
    }
  }, { "data-action": "register" });
  const element = section("registrations", "Registered with cards",
    "If the wallet's name, keys or conditions are later altered on this computer, tapkit stops using the wallet, "
    + "and signs nothing with these cards until you remove it.",
    "It does not protect you from a computer that lies while you register, so compare what you see with your own copy, "
    + "or from somebody who removes the registration, too.",
    list, actions(register), task);
  return {
    element,
    show(wallet) {
      element.hidden = isAltered(wallet) || !canBe(wallet);
      replace(list, rows("registrations", (wallet.registrations ?? []).map((one) => row({},
        [one.proven ? cardOf(one) : `Said to be ${one.fingerprint}, not proven`, faint(date(one.created))],
        saveButton(name, one)))));
    },
  };
}

export function alteredNotice(wallet, signal) {
  const task = h("div");
  const remove = taskButton("Remove this wallet", "remove", async () => {
    if (await runServerTask(task, "", "wallet.remove", { wallet: wallet.name, asks: asks() },
      { signal })) {
      location.hash = "#/wallets";
    }
  }, "danger");
  return notice("danger", "This wallet was altered. Do not use it.",
    `It is not what ${broken(wallet).map(cardOf).join(" and ")} registered.`,
    "Compare its descriptors with your own copy, or your cosigners'. Then remove it, and add it from its registration.",
    actions(remove), task);
}
