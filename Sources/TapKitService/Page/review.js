// What a transaction does, as it is shown before it is signed or sent: dangers, the flow, payees, change, fee, inputs.
import { h } from "./dom.js";
import { counted } from "./format.js";
import { grouped, notice } from "./parts.js";
import { faint, money, unfolding } from "./rows.js";
import { flowElement, ordered } from "./flow.js";

// So many rows are shown at once; more are behind a button.
const listed = 20;

// A transaction for a person. Takes the documents of review, sign and transaction.show, and the review in a question.
export function reviewElement(transaction) {
  const findings = transaction.findings ?? [];
  const parts = [findingElements(findings, "refusal"), findingElements(findings, "warning")];
  if (transaction.fee_sat === undefined || transaction.outputs.length === 0) {
    parts.push(h("p", { class: "review-pays" }, "What it pays is unknown: amounts are missing or invalid."));
  } else {
    parts.push(flowElement(transaction), outputsElement(transaction), sumElement(transaction),
      inputsElement(transaction));
  }
  parts.push(signaturesElement(transaction), findingElements(findings, "notice"));
  return h("div", { class: "review", "data-review": transaction.id ?? "" }, parts);
}

// Findings

// So many of a kind are shown: a PSBT can have thousands.
const ofAKind = 5;
const kinds = {
  refusal: ["danger", "tapkit refuses to sign: "], warning: ["warning", "Warning: "], notice: ["info", "Note: "],
};

// The findings of a severity. Nearly all transactions can be replaced, and that costs nobody anything.
function findingElements(findings, severity) {
  const counts = new Map();
  const [kind, word] = kinds[severity];
  const elements = [];
  for (const { code, message } of findings.filter((one) => one.severity === severity && one.code !== "replaceable")) {
    counts.set(code, (counts.get(code) ?? 0) + 1);
    if (counts.get(code) > ofAKind) continue;
    const element = notice(kind, word + message);
    element.dataset.finding = code;
    elements.push(element);
  }
  const rest = [...counts].filter(([, count]) => count > ofAKind);
  return [elements, rest.map(([code, count]) => h("p", `… and ${count - ofAKind} more of the kind ${code}`))];
}

// Where the money goes

function outputsElement(transaction) {
  const { outputs, network } = transaction;
  const numbered = ordered(outputs);
  // Those that a finding names by their number.
  const found = new Set((transaction.findings ?? []).map((finding) => finding.output));
  // No payment is hidden among small ones.
  if (outputs.length > listed) {
    const rest = numbered.filter(({ kind }) => kind !== "payee");
    numbered.splice(numbered.length - rest.length);
    numbered.sort((a, b) => b.output.amount_sat - a.output.amount_sat).push(...rest);
  }
  const element = ({ output, index, kind }) =>
    h("li", { class: `pays ${kind}`, "data-output": index, "data-kind": kind },
      words(output, kind), " ", money(output.amount_sat, network), kind === "change" ? " " : " to ",
      output.address ? grouped(output.address) : ["script ", grouped(output.script_pubkey)],
      kind !== "payee" && output.path && faint(` ${output.path}`), found.has(index) && ` (output ${index})`);
  const hasPayee = numbered.some(({ kind }) => kind === "payee");
  const isSure = numbered.every(({ kind }) => kind === "change");
  const nobody = hasPayee ? null : h("p", { class: "review-pays" },
    `You pay nobody: everything comes back${isSure ? "" : ", provided that all claimed change comes back"}.`);
  const fee = h("ul", { class: "rows" }, h("li", { class: "pays fee", "data-fee": transaction.fee_sat },
    "Fee: ", h("strong", { class: "amount" }, `${transaction.fee_sat} sat`), `, ${transaction.sat_per_vb} sat/vB`));
  return h("div", nobody, folded(numbered, "outputs", element), fee);
}

function words(output, kind) {
  if (kind === "change") return "Change, proven:";
  if (kind === "claimed") return "Change, not proven:";
  // OP_RETURN.
  return output.amount_sat === 0 && output.script_pubkey.startsWith("6a") ? "You store data in the chain:" : "You pay";
}

// The first rows, and a way to see the others. A row is made by its element(item).
function folded(items, word, element) {
  const list = (part) => h("ul", { class: "rows" }, part.map(element));
  const rest = items.length - listed;
  return [list(items.slice(0, listed)), rest > 0 && unfolding(`${rest} more ${word}`, () => list(items.slice(listed)))];
}

function sumElement({ sent_sat: sent, outputs, network }) {
  const unproven = outputs.filter((output) => !output.change_proven);
  if (unproven.length < 2) return null;
  const isDoubtful = unproven.some((output) => output.change);
  return h("p", { "data-sent": sent }, isDoubtful ? "Payments, and change that is not proven: " : "Payments in all: ",
    money(sent, network));
}

// What it spends, and who signs

function inputsElement({ inputs, network }) {
  const claimed = inputs.filter((input) => !input.amount_proven).length;
  const one = inputs.length === 1 ? "amount" : "amounts";
  const proof = claimed === 0 ? `${one} proven`
    : claimed === inputs.length ? `${one} only claimed` : `${claimed} of the amounts only claimed`;
  const isMixed = inputs.some((input) => input.mine) && inputs.some((input) => !input.mine);
  const element = (input) => h("li", { "data-input": input.outpoint },
    money(input.amount_sat, network),
    input.amount_proven ? "" : " (only claimed)", isMixed && !input.mine ? " (not this wallet's)" : "",
    h("br", {}), input.address ? grouped(input.address) : "script",
    h("br", {}), faint(h("code", input.outpoint)));
  return unfolding(`Spends ${counted(inputs.length, "input")} (${proof})`, () => folded(inputs, "inputs", element));
}

function signaturesElement({ signed_by: signed, can_sign: able, missing, tx }) {
  if (missing === undefined) return null;
  const list = (names) => names.slice(0, ofAKind).join(", ")
    + (names.length > ofAKind ? ` and ${names.length - ofAKind} more` : "");
  const by = signed?.length ? `, signed by ${list(signed)}` : "";
  if (tx || missing === 0) {
    // Only of a finished transaction: scripts that tapkit does not know have no count.
    return h("p", { "data-signatures": 0 }, `Signatures: none is ${tx ? "" : "known to be "}missing${by}.`);
  }
  const from = able?.length ? `; ${list(able)} can sign` : "";
  return h("p", { "data-signatures": missing },
    `Signatures: ${missing} ${missing === 1 ? "is" : "are"} missing${by}${from}.`);
}
