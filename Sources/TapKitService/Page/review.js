// What a transaction does: dangers, the flow, payees, change, fee, inputs.
import { h } from "./dom.js";
import { amount, counted } from "./format.js";
import { faint, grouped, money, notice, unfolding } from "./parts.js";
import { pathsElement } from "./policy.js";
import { changeWords, flowElement, kindOf, ordered } from "./flow.js";

// Rows shown at once; a button shows more.
const listed = 20;

// A transaction for a person. Takes the documents of review, sign, transaction.show and of a question, with the codes of
// the findings that must be accepted.
export function reviewElement(transaction, losses) {
  const found = (severity) => findingElements(transaction, severity, losses);
  const parts = [found("refusal"), found("warning")];
  if (transaction.fee_sat === undefined || transaction.outputs.length === 0) {
    parts.push(h("p.review-pays", "What it pays is unknown: amounts are missing or invalid."));
  } else {
    parts.push(flowElement(transaction), outputsElement(transaction), sumElement(transaction),
      inputsElement(transaction));
  }
  parts.push(policiesElement(transaction), signaturesElement(transaction), found("notice"));
  return h("div.review", { "data-review": transaction.id ?? "" }, parts);
}

// Findings

// So many of a kind are shown at once: a PSBT can have thousands.
const ofAKind = 5;
const kinds = {
  refusal: ["danger", "tapkit refuses to sign: "], warning: ["warning", "Warning: "], notice: ["info", "Note: "],
};

// The findings of a severity, the largest stake first; none that can lose money is folded away.
export function findingElements({ findings = [], network }, severity, losses = []) {
  const [counts, shown, rest] = [{}, [], []];
  const all = findings.filter((one) => one.severity === severity && one.code !== "replaceable")
    .sort((a, b) => (b.stake_sat ?? 0) - (a.stake_sat ?? 0));
  for (const finding of all) {
    const { code } = finding;
    counts[code] = (counts[code] ?? 0) + 1;
    (counts[code] > ofAKind && code !== "sighash_not_all" && !losses.includes(code) ? rest : shown).push(finding);
  }
  const [kind, word] = kinds[severity];
  const element = (finding) => {
    const element = notice(kind, word + finding.message, severity === "warning" && stakeWords(finding, network));
    element.dataset.finding = finding.code;
    return element;
  };
  return [shown.map(element), rest.length > 0 && unfolding(`${rest.length} more`, () => rest.map(element))];
}

function stakeWords({ code, stake_sat: stake }, network) {
  if (code === "amount_not_proven") return "At stake: the actual value of this input.";
  return stake === undefined ? "" : `At stake: ${amount(stake, network)}.`;
}

// Where the money goes

function outputsElement(transaction) {
  const { outputs, network } = transaction;
  const numbered = ordered(outputs);
  // Those that a finding names by their number.
  const found = new Set((transaction.findings ?? []).map((finding) => finding.output));
  // No payment is hidden among what comes back.
  if (outputs.length > listed) numbered.sort((a, b) => (b.kind === "payee") - (a.kind === "payee"));
  const element = ({ output, index, kind }) =>
    h("li", { class: `pays ${kind}`, "data-kind": kind },
      words(output, kind, transaction), " ", money(output.amount_sat, network), kind === "change" ? " " : " to ",
      output.address ? grouped(output.address) : ["script ", grouped(output.script_pubkey)],
      kind !== "payee" && faint(` ${output.path ?? output.claimed_path}`), found.has(index) && ` (output ${index})`);
  const hasPayee = numbered.some(({ kind }) => kind === "payee");
  const isSure = numbered.every(({ kind }) => kind === "change");
  const nobody = hasPayee ? null : h("p.review-pays", returning(transaction, isSure));
  const fee = h("ul.rows", h("li.pays.fee",
    "Fee: ", h("strong.amount", `${transaction.fee_sat} sat`), `, ${transaction.sat_per_vb} sat/vB`));
  return h("div", nobody, folded(numbered, "outputs", element), fee);
}

const toWallet = ({ evidence_wallet: name }) => `to the wallet “${name}”, according to its descriptors`;

// Only keys prove that nobody else is paid.
function returning(transaction, isSure) {
  if (transaction.evidence === "nothing") return "Everything comes back, as the file claims.";
  if (transaction.evidence === "wallet") return `Everything goes ${toWallet(transaction)}.`;
  return `You pay nobody: everything comes back to you${isSure ? "" : ", if all of the claimed change does"}.`;
}

function words(output, kind, transaction) {
  if (kind === "change" && transaction.evidence === "wallet") return `Change ${toWallet(transaction)}:`;
  if (kind !== "payee") return `${changeWords(kind, transaction)}:`;
  // OP_RETURN.
  return output.amount_sat === 0 && output.script_pubkey.startsWith("6a") ? "You store data on the chain:" : "You pay";
}

// The first rows, made by element(item), and a way to the others.
function folded(items, word, element) {
  const list = (part) => h("ul.rows", part.map(element));
  const rest = items.length - listed;
  return [list(items.slice(0, listed)), rest > 0 && unfolding(`${rest} more ${word}`, () => list(items.slice(listed)))];
}

function sumElement({ sent_sat: sent, outputs, network }) {
  const kinds = outputs.map(kindOf).filter((kind) => kind !== "change");
  if (kinds.length < 2) return null;
  return h("p", { "data-sent": sent },
    kinds.includes("claimed") ? "Payments, and change that is not proven: " : "Payments in all: ",
    money(sent, network));
}

// What it spends, and who signs

function inputsElement({ inputs, network }) {
  const claimed = inputs.filter((input) => !input.amount_proven).length;
  const one = inputs.length === 1 ? "amount" : "amounts";
  const proof = claimed === 0 ? `${one} proven`
    : claimed === inputs.length ? `${one} only claimed` : `${claimed} of the amounts only claimed`;
  const isMixed = inputs.some((input) => input.mine) && inputs.some((input) => !input.mine);
  const element = (input) => h("li",
    money(input.amount_sat, network),
    input.amount_proven ? "" : " (only claimed)", isMixed && !input.mine ? " (not known to be this wallet's)" : "",
    h("br"), input.address ? grouped(input.address) : "script",
    h("br"), faint(h("code", input.outpoint)));
  return unfolding(`Spends ${counted(inputs.length, "input")} (${proof})`, () => folded(inputs, "inputs", element));
}

function policiesElement({ policies = [], policies_omitted: omitted, inputs }) {
  const element = ({ inputs: count, complete, paths }) => h("div",
    h("p", `Spending paths${count === inputs.length ? "" : ` of ${counted(count, "input")}`}${
      complete === false ? " that the PSBT shows; there may be others" : ""}:`), pathsElement(paths));
  const rest = policies.length - ofAKind;
  return [policies.slice(0, ofAKind).map(element), rest > 0 && h("p", `And ${rest} more.`),
    omitted && h("p", `Spending paths of ${counted(omitted, "input")} are not listed.`)];
}

function signaturesElement({ signed_by: signed, can_sign: able, missing, other_path_open: other, tx }) {
  if (missing === undefined) return null;
  const list = (names) => names.slice(0, ofAKind).join(", ")
    + (names.length > ofAKind ? ` and ${names.length - ofAKind} more` : "");
  const by = signed?.length ? `, signed by ${list(signed)}` : "";
  if (tx || missing === 0) {
    // Unknown scripts have no count.
    return h("p", { "data-signatures": 0 }, `Signatures: none is ${tx ? "" : "known to be "}missing${by}.`);
  }
  const from = able?.length ? `; ${list(able)} can sign` : "";
  return h("p", { "data-signatures": missing },
    `Signatures: ${missing} ${missing === 1 ? "is" : "are"} missing${by}${from}${
      other ? "; another spending path is open, too" : ""}.`);
}
