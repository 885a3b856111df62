// What a transaction does, as it is shown before it is signed or sent: dangers, the flow, payees, change, fee, inputs.
import { h } from "./dom.js";
import { amount, counted } from "./format.js";
import { details, grouped, notice } from "./parts.js";
import { flowElement, ordered } from "./flow.js";

// So many rows are shown at once; more are behind a button.
const listed = 20;

// A transaction for a person. Takes the documents of review, sign and transaction.show, and the review in a question.
export function reviewElement(transaction) {
  const findings = transaction.findings ?? [];
  const parts = [alarms(findings)];
  if (transaction.fee_sat === undefined || transaction.outputs.length === 0) {
    parts.push(h("p", { class: "review-pays" }, "What it pays is unknown: amounts are missing or invalid."));
  } else {
    parts.push(flowElement(transaction), outputsElement(transaction), sumElement(transaction),
      inputsElement(transaction));
  }
  parts.push(signaturesElement(transaction), notes(findings));
  return h("div", { class: "review", "data-review": transaction.id ?? "" }, parts);
}

// Findings

function findingElement(finding) {
  const [kind, word] = {
    refusal: ["danger", "tapkit refuses to sign: "], warning: ["warning", "Warning: "], notice: ["info", "Note: "],
  }[finding.severity] ?? ["warning", ""];
  const place = finding.input !== undefined ? `Input ${finding.input}: `
    : finding.output !== undefined ? `Output ${finding.output}: ` : "";
  const element = notice(kind, word + place + finding.message);
  element.dataset.finding = finding.code;
  return element;
}

// Refusals, then warnings.
function alarms(findings) {
  const of = (severity) => findings.filter((finding) => finding.severity === severity);
  return [...of("refusal"), ...of("warning")].map(findingElement);
}

// Nearly all transactions can be replaced, and that costs nobody anything.
function notes(findings) {
  return findings.filter((finding) => finding.severity === "notice"
    && finding.code !== "replaceable").map(findingElement);
}

// Where the money goes

function outputsElement(transaction) {
  const { outputs, network } = transaction;
  const numbered = ordered(outputs);
  // No payment is hidden among small ones.
  if (outputs.length > listed) {
    const rest = numbered.filter(({ kind }) => kind !== "payee");
    numbered.splice(numbered.length - rest.length);
    numbered.sort((a, b) => b.output.amount_sat - a.output.amount_sat).push(...rest);
  }
  const rows = numbered.map(({ output, index, kind }) =>
    h("li", { class: `pays pays-${kind}`, "data-output": index, "data-kind": kind },
    h("span", { class: "pays-what" }, words(output, kind)), " ",
    h("strong", { class: "amount" }, amount(output.amount_sat, network)), " ",
    h("span", { class: "pays-to" }, kind === "change" ? "" : "to ", target(output),
      kind === "payee" || !output.path ? "" : h("span", { class: "faint" }, ` ${output.path}`))));
  const hasPayee = numbered.some(({ kind }) => kind === "payee");
  const isSure = numbered.every(({ kind }) => kind === "change");
  const nobody = hasPayee ? null : h("p", { class: "review-pays" },
    `You pay nobody: everything comes back${isSure ? "" : ", provided that all claimed change comes back"}.`);
  const fee = h("ul", { class: "rows" }, h("li", { class: "pays pays-fee", "data-fee": transaction.fee_sat },
    h("span", { class: "pays-what" }, "Fee:"), " ", h("strong", { class: "amount" }, `${transaction.fee_sat} sat`),
    `, ${transaction.sat_per_vb} sat/vB`));
  return h("div", nobody, folded(rows, "outputs"), fee);
}

function words(output, kind) {
  if (kind === "change") return "Change, proven:";
  if (kind === "claimed") return "Change, not proven:";
  return isData(output) ? "You store data in the chain:" : "You pay";
}

function isData(output) {
  return output.amount_sat === 0 && output.script_pubkey.startsWith("6a");
}

function target(output) {
  return output.address ? grouped(output.address) : ["script ", grouped(output.script_pubkey)];
}

// The first rows, and a way to see the others.
function folded(rows, word) {
  const list = (items) => h("ul", { class: "rows" }, items);
  if (rows.length <= listed) return [list(rows)];
  return [list(rows.slice(0, listed)), details(`${rows.length - listed} more ${word}`, list(rows.slice(listed)))];
}

function sumElement({ sent_sat: sent, outputs, network }) {
  const unproven = outputs.filter((output) => !output.change_proven);
  if (unproven.length < 2) return null;
  const isDoubtful = unproven.some((output) => output.change);
  return h("p", { "data-sent": sent }, isDoubtful ? "Payments, and change that is not proven: " : "Payments in all: ",
    h("strong", { class: "amount" }, amount(sent, network)));
}

// What it spends, and who signs

function inputsElement({ inputs, network }) {
  const claimed = inputs.filter((input) => !input.amount_proven).length;
  const one = inputs.length === 1 ? "amount" : "amounts";
  const proof = claimed === 0 ? `${one} proven`
    : claimed === inputs.length ? `${one} only claimed` : `${claimed} of the amounts only claimed`;
  const isMixed = inputs.some((input) => input.mine) && inputs.some((input) => !input.mine);
  const rows = inputs.map((input, index) => h("li", { "data-input": index },
    h("strong", { class: "amount" }, amount(input.amount_sat, network)),
    input.amount_proven ? "" : " (only claimed)", isMixed && !input.mine ? " (not this wallet's)" : "",
    h("br", {}), input.address ? grouped(input.address) : "script",
    h("br", {}), h("code", { class: "faint break" }, input.outpoint)));
  return details(`Spends ${counted(inputs.length, "input")} (${proof})`, folded(rows, "inputs"));
}

function signaturesElement({ signed_by: signed, can_sign: able, missing, complete }) {
  if (missing === undefined) return null;
  const by = signed?.length ? `, signed by ${signed.join(", ")}` : "";
  if (complete || missing === 0) return h("p", { "data-signatures": 0 }, `Signatures: none is missing${by}.`);
  const from = able?.length ? `; ${able.join(", ")} can sign` : "";
  return h("p", { "data-signatures": missing },
    `Signatures: ${missing} ${missing === 1 ? "is" : "are"} missing${by}${from}.`);
}
