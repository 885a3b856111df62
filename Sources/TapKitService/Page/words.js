// What the service reports in names, in the command's words.

import { amount, cardTitle, counted, shorten } from "./format.js";

const flow = {
  proving_card: () => "Checking that the card is genuine…",
  proven: () => "Checking that the card is genuine…",
  picking_key: () => "The card is picking its key…",
  picking_slot_key: ({ slot }) => `The card is picking a key for slot ${slot}…`,
  looking_at_slots: () => "Reading the slots…",
  opening_slot: ({ slot }) => `Reading the key of slot ${slot}…`,
  changing_path: ({ path }) => `Moving the card to ${path}…`,
  backing_up: () => "Reading the encrypted backup…",
  changing_cvc: () => "Changing the CVC…",
  signing_message: ({ address }) => `Signing as ${address}…`,
  security_delay: ({ seconds }) => `Lockout: ${seconds} s left. Leave the card on the reader.`,
  signed: ({ done, total }) => `Signed ${done} of ${total}. Leave the card on the reader.`,
  waiting_for_card: ({ card }) => `Card removed. Put ${card} back on the reader…`,
  waiting_for_reader: ({ card }) => `The reader is gone, or its service stopped. Reconnect it, with ${card} on it…`,
  wrong_card: ({ found, card }) => `Wrong card: ${found}. Put ${card} on the reader…`,
  unreadable_card: ({ card }) =>
    `This does not answer as a tap card. Remove it, then put ${card} flat and alone on the reader…`,
  card_returned: () => "The card is back.",
};

// A flow's progress as a sentence, or nothing.
export const progressWords = (event) => flow[event.event]?.(event) ?? "";

// Whether it waits for the person's hand.
export const waitsForHand = ({ event }) =>
  ["waiting_for_card", "waiting_for_reader", "wrong_card", "unreadable_card"].includes(event);

const notices = {
  attach_reader: () => "Connect a reader…",
  place_card: () => "Put the card on the reader…",
  place_cards: () => "Put the cards on the readers…",
  place_next_card: () => "Waiting for the next card…",
  place_next_signer: ({ missing }) =>
    `Signed by ${missing.signed_by.length} of ${missing.threshold}. Put the next cosigner's card on the reader…`,
  obstacle: ({ problem }) => problem.message,
  tampered: () => "The card reports that it was TAMPERED WITH. Do not trust it with money any more.",
  locked_out: ({ seconds }) =>
    `The card is locked out after wrong CVCs: ${counted(seconds, "second")} left. Leave it on the reader.`,
  cannot_help: ({ card }) => `${card} cannot sign any input.`,
  accounts: ({ done, total }) => `${done} of ${total} cards read. Put the next one on the reader…`,
  vanished: ({ count, server }) =>
    `${counted(count, "transaction")} that was deep in the chain is missing from it now, according to ${server}.`,
  restored: ({ id }) => `The payment ${shorten(id)} was stored again: your keys signed it, and it can still be confirmed.`,
  overtaken: ({ id }) =>
    `The stored transaction ${shorten(id)} can no longer be sent: a confirmed transaction spends its coins.`,
  sent_unstored: ({ id }) => `The transaction ${shorten(id)} was sent, although it had just been deleted from the store.`,
  fee_rate: ({ sat_per_vb, blocks }) =>
    `Fee rate for ${counted(blocks, "block")}, according to the server: ${sat_per_vb ?? "?"} sat/vB`,
  unconfirmed_stay: ({ amount_sat }) => `${amount(amount_sat)} is unconfirmed and will be left behind.`,
  spends_unconfirmed: () => "It spends unconfirmed coins: if the sender takes them back, it becomes invalid.",
  resuming_sweep: ({ id }) => `Resuming the stored transaction ${shorten(id)}.`,
  unsound_wallet: ({ problem }) => problem.message,
  findings: ({ findings }) => findings.map(({ message }) => message).join(" "),
  path_not_restored: ({ path }) => `The card is now at path ${path}, which is not its own path.`,
  no_backup: () => "This card has no backup.",
  unsealing_not_kept: ({ problem }) => problem.message,
  key_is_hot: () => "The backup was decrypted on this machine, so its key is HOT now. Move all its money to a new key.",
  backup_cut_off: () => "The file is cut off in the middle of the path. The master key is complete.",
  not_kept: ({ problem }) => problem.message,
};

export const noticeWords = (notice) => notices[notice.notice]?.(notice) ?? "";

const purposes = {
  sign_transaction: () => "sign the transaction that you agreed to",
  sweep: ({ coins }) => `sign a sweep of ${counted(coins, "coin")}`,
  read_account: () => "show an xpub",
  set_up: () => "set the card up",
  back_up: () => "make a backup",
  compare_backup: () => "compare the card with the backup file",
  change_cvc: () => "change its CVC",
  derive: () => "move the card to another path",
  set_up_slot: () => "give its next slot a key",
  unseal: () => "permanently unseal a slot and show its key",
  prove_keys: () => "prove its keys",
  prove_address: () => "prove an address",
  identify: () => "find out whether it is the right card",
};

// What a CVC is for, after "needed to"; nothing for a purpose that this page does not know.
export const purposeWords = (request) => purposes[request.purpose]?.(request);

const unprovenReason = "cards before version 1.0.0 cannot sign for their slots, so a forged card that relays to a genuine "
  + "one could show another address.";
export const unprovenAddress =
  `Nothing proves this address: ${unprovenReason} Pay only if you trust the card and the reader.`;
export const printedCode = "Slot 1 was unsealed: do not use the QR code printed on the card any more. It shows the "
  + "address of slot 1.";

const slotsText = (slots) => `${slots.length === 1 ? "slot" : "slots"} ${slots.join(", ")}`;
const ofCard = ({ card }) => (card ? cardTitle(card) : "the card");

// Each question: its title, what is said before it, the button that agrees, and whether that cannot be undone.
const questions = {
  sign: (asked) => ({
    title: `Sign${asked.signatures ? ` ${counted(asked.signatures, "input")}` : ""} with ${ofCard(asked)}`
      + `${asked.new_findings ? " anyway" : ""}?`,
    yes: "Sign",
  }),
  sweep: (asked) => ({
    title: asked.unseals_slot
      ? `Permanently unseal slot ${asked.unseals_slot}, and sweep ${slotsText(asked.slots)} of ${ofCard(asked)}?`
      : `Sweep ${slotsText(asked.slots)} of ${ofCard(asked)}?`,
    lines: asked.left_behind?.length
      ? [`${counted(asked.left_behind.length, "coin")} that cost more to spend than they are worth will be left behind.`]
      : [],
    yes: asked.unseals_slot ? "Unseal and sweep" : "Sweep",
    isFinal: Boolean(asked.unseals_slot),
  }),
  send: (asked) => ({ title: `Send it through ${asked.server}?`, yes: "Send" }),
  pay_again: () => ({ title: "Pay again?", yes: "Pay again" }),
  set_up_unproven_slot: () => ({
    title: "Set up a slot of this card anyway?",
    lines: [`Nothing will prove the address of the new slot: ${unprovenReason}`], yes: "Set it up",
  }),
  change_ready_card: (asked) => ({
    title: "Change this card?",
    lines: [`${ofCard(asked)} is already set up.`,
      asked.path ? `This will move it to ${asked.path}, and change its CVC if you asked for that.`
        : "This will change its CVC."],
    yes: "Change it",
  }),
  share_single_key_accounts: (asked) => ({
    title: "Make the multisig wallet with these keys anyway?",
    lines: [`The paths of these cards are for single-key wallets; other programs look for multisig keys elsewhere: `
      + asked.idents.join(", ")],
    yes: "Make it",
  }),
  thaw: (asked) => ({ title: `Allow ${counted(asked.coins.length, "coin")} to be spent?`, lines: asked.coins, yes: "Allow" }),
  remove_wallet: (asked) => ({
    title: `Remove the wallet “${asked.name}”?`,
    lines: ["Without its descriptors its addresses cannot be found again."], yes: "Remove", isFinal: true,
  }),
  delete_transaction: (asked) => ({
    title: "Delete this transaction and its signatures?", lines: [asked.id], yes: "Delete", isFinal: true,
  }),
};

// Nothing for a question that this page does not know: such a question can only be answered with no.
export const questionWords = (asked) => questions[asked.question]?.(asked);
