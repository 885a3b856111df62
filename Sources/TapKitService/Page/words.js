// Words for the service's names.

import { cardTitle, counted, shorten } from "./format.js";

const flow = {
  proving_card: () => "Checking that the card is genuine…",
  picking_key: () => "The card is picking its key…",
  picking_slot_key: ({ slot }) => `The card is picking a key for slot ${slot}…`,
  looking_at_slots: () => "Reading the slots…",
  opening_slot: ({ slot }) => `Reading the key of slot ${slot}…`,
  changing_path: ({ path }) => `Moving the card to ${path}…`,
  backing_up: () => "Reading the encrypted backup…",
  changing_cvc: () => "Changing the CVC…",
  security_delay: ({ seconds }) => `Lockout: ${seconds} s left. Leave the card on the reader.`,
  signed: ({ done, total }) => `Signed ${done} of ${total}. Leave the card on the reader.`,
  waiting_for_card: ({ card }) => `Card removed. Put ${card} back on the reader…`,
  waiting_for_reader: ({ card }) => `The reader is gone, or its service stopped. Reconnect it, with ${card} on it…`,
  wrong_card: ({ found, card }) => `Wrong card: ${found}. Put ${card} on the reader…`,
  unreadable_card: ({ card }) =>
    "What is on the reader does not answer as a tap card. Remove it, then put "
    + `${card} flat on the reader, and nothing else…`,
  card_returned: () => "The card is back.",
};

export const progressWords = (event) => flow[event.event]?.(event) ?? "";

export const waitsForHand = ({ event }) => /^(waiting_for|wrong_card|unreadable_card)/.test(event);

const notices = {
  attach_reader: () => "Connect a reader…",
  place_card: () => "Put the card on the reader…",
  place_next_signer: ({ missing }) =>
    `Signed by ${missing.signed_by.length} of ${missing.threshold}. Put the next cosigner's card on the reader…`,
  tampered: () => "The card reports that it was TAMPERED WITH. Do not trust it with money any more.",
  locked_out: ({ seconds }) =>
    `The card is locked out after wrong CVCs: ${counted(seconds, "second")} left. Leave it on the reader.`,
  cannot_help: ({ card }) => `${card} cannot sign any input.`,
  vanished: ({ count, server }) =>
    `According to ${server}, the chain now lacks ${counted(count, "transaction")} that used to be deep in it. `
    + "Ask another server: this one may lag behind, or follow another chain.",
  restored: ({ id }) =>
    `The payment ${shorten(id)} was stored again: it is signed, and can still be confirmed.`,
  overtaken: ({ id }) =>
    `The stored transaction ${shorten(id)} can no longer be sent: a confirmed transaction spends its coins.`,
  sent_unstored: ({ id }) =>
    `The transaction ${shorten(id)} was sent, although it had just been deleted from the store.`,
  fee_rate: ({ sat_per_vb, blocks }) =>
    `Fee rate for ${counted(blocks, "block")}, according to the server: ${sat_per_vb ?? "?"} sat/vB`,
  coins_stay: ({ count, amount_sat }) => `${counted(count, "coin")} (${amount_sat} sat) will be left behind.`,
  unconfirmed_stay: ({ amount_sat }) => `${amount_sat} sat are unconfirmed and will be left behind.`,
  spends_unconfirmed: () =>
    "The transaction spends unconfirmed coins: if the sender takes them back, it becomes invalid.",
  resuming_sweep: ({ id }) => `Resuming the stored transaction ${shorten(id)}.`,
  findings: ({ findings }) => findings.map(({ message }) => message).join(" "),
  setup_unfinished: () => "Finish the card's setup before anybody pays to it.",
  not_backed_up: () => "The card has no backup yet.",
  path_not_restored: ({ path }) => `The card is still at path ${path}. Move it back with tapkit derive.`,
};

export const noticeWords = (notice) => notices[notice.notice]?.(notice) ?? (notice.problem ?? notice).message ?? "";

// What a CVC is for, after "needed to".
export const purposeWords = ({ purpose, coins }) => ({
  sign_transaction: "sign the transaction that you agreed to",
  sweep: `sign a sweep of ${counted(coins, "coin")}`,
  read_account: "read its account (xpub)",
  register_wallet: "register the wallet that you agreed to",
  set_up: "set the card up",
  back_up: "make a backup",
  compare_backup: "compare the card with the backup file",
  change_cvc: "change its CVC",
  set_up_slot: "set up its next slot",
  prove_keys: "prove its keys",
  prove_address: "prove an address",
  identify: "find out whether it is the right card",
})[purpose] ?? purpose;

const reason = "cards before version 1.0.0 cannot sign for their slots, so a counterfeit that relays to a genuine one "
  + "could show another address.";
export const unprovenAddress = `Nothing proves this address: ${reason} Pay only if you trust the card and the reader.`;
export const printedCode = "Slot 1 was unsealed: do not use the QR code printed on the card any more. It shows the "
  + "address of slot 1.";

const ofCard = ({ card }) => (card ? cardTitle(card) : "the card");

// `isFinal`: a yes cannot be undone.
const questions = {
  sign: (asked) => ({
    title: `Sign${asked.signatures ? ` ${counted(asked.signatures, "input")}` : ""} with ${ofCard(asked)}`
      + `${asked.new_findings ? " anyway" : ""}?`,
    yes: "Sign",
  }),
  sweep: ({ card, slots, unseals_slot: slot, left_behind: { length: left } = [] }) => ({
    title: `${slot ? `Permanently unseal slot ${slot}, and s` : "S"}weep slot${slots[1] ? "s" : ""} ${
      slots.join(", ")} of ${ofCard({ card })}?`,
    lines: left && [`${left === 1 ? "One coin costs more to spend than it is"
      : `${left} coins cost more to spend than they are`} worth, and will be left behind.`],
    yes: slot ? "Unseal and sweep" : "Sweep",
    isFinal: Boolean(slot),
  }),
  register_wallet: (asked) => asked.registration && ({
    title: `Register the wallet “${asked.name}” with ${ofCard(asked)}?`, yes: "Register",
  }),
  remove_wallet: (asked) => ({
    title: `Remove the wallet “${asked.name}”?`, yes: "Remove it", isFinal: true,
    lines: ["Its money stays where it is. Without its descriptors its addresses cannot be found again.",
      ...asked.descriptors],
  }),
  send: (asked) => ({ title: `Send it through ${asked.server}?`, yes: "Send" }),
  pay_again: () => ({ title: "Pay again?", yes: "Pay again" }),
  set_up_unproven_slot: () => ({
    title: "Set up a slot of this card anyway?",
    lines: [`Nothing will prove the address of the new slot: ${reason}`], yes: "Set it up",
  }),
  change_ready_card: (asked) => ({
    title: `Change ${ofCard(asked)}?`, yes: "Change it",
    lines: [`It is already set up. This will ${
      asked.path ? `move it to ${asked.path}, and change its CVC if that was asked for` : "change its CVC"}.`],
  }),
  use_cosigners_account: ({ path }) => ({
    title: "Make a single-key wallet anyway?", yes: "Make it",
    lines: [`${path} is for cosigners: other wallets do not look there for a single-key wallet.`],
  }),
};

// Nothing for an unknown question.
export const questionWords = (asked) => questions[asked.question]?.(asked);
