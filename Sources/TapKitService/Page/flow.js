// The picture of a transaction: what it spends, pays, and leaves as its fee.
import { drawn, svg } from "./dom.js";
import { amount, counted, neutral, shorten } from "./format.js";

// So many inputs or outputs are drawn one by one; the smaller ones of more are drawn as one.
const most = 6;
// From this width on, it is drawn from left to right with texts; below, from top to bottom.
const wide = 560;

// What an output is: a payee, change, or change that is only claimed.
export function kindOf(output) {
  if (output.change_proven) return "change";
  return output.change || output.claimed_path ? "claimed" : "payee";
}

// The outputs with their kinds and places, the largest first; change last, but not what is only claimed to be.
export function ordered(outputs) {
  const rank = ({ kind }) => Number(kind === "change");
  return outputs.map((output, index) => ({ output, index, kind: kindOf(output) }))
    .sort((a, b) => rank(a) - rank(b) || b.output.amount_sat - a.output.amount_sat);
}

// Only keys prove change.
export function changeWords(kind, { evidence }) {
  if (kind === "change") return evidence === "keys" ? "Change, proven" : "Change to the wallet";
  return evidence === "nothing" ? "Change, as the file claims" : "Change, not proven";
}

const nameOf = (output) => (output.address ? shorten(output.address) : `script ${shorten(output.script_pubkey, 4)}`);

// The picture for a document with inputs, outputs and fee_sat; null if amounts are unknown.
export function flowElement(transaction) {
  const { inputs, outputs, fee_sat: fee } = transaction;
  const total = inputs.reduce((sum, input) => sum + input.amount_sat, 0);
  if (fee === undefined || !(total > 0)) return null;
  const sides = [
    joined(inputs.map((input) => ({
      kind: "input", sat: input.amount_sat, name: input.address ? shorten(input.address) : "script",
    })), "inputs"),
    joined(ordered(outputs).map(({ output, kind }) => ({
      kind, sat: output.amount_sat, name: kind === "payee" ? nameOf(output) : changeWords(kind, transaction),
    })), "outputs"),
  ];
  sides[1].push({ kind: "fee", sat: fee, name: "Fee", isFee: true });
  return drawn({ class: "flow" }, (width) => draw(sides, total, width, transaction));
}

// The nodes; of many, the smaller ones become one, whose sum is only drawn, never shown.
function joined(nodes, word) {
  if (nodes.length <= most) return nodes;
  const large = new Set([...nodes].sort((a, b) => b.sat - a.sat).slice(0, most - 1));
  const rest = nodes.filter((node) => !large.has(node));
  const kinds = new Set(rest.map((node) => node.kind));
  return [...nodes.filter((node) => large.has(node)), {
    kind: kinds.size === 1 ? rest[0].kind : "payee", sat: rest.reduce((sum, node) => sum + node.sat, 0),
    name: `${rest.length} more ${word}`, isJoined: true,
  }];
}

// Where each node of a side is, across the flow: its own place, and that in the trunk.
function placed(side, scale, slot, gap, least) {
  let [at, inTrunk] = [0, 0];
  const places = side.map((node) => {
    const thickness = Math.max(node.sat * scale, least);
    const room = Math.max(thickness, slot);
    const place = { node, thickness, start: at + (room - thickness) / 2, trunk: inTrunk };
    at += room + gap;
    inTrunk += thickness;
    return place;
  });
  return { places, length: at - gap, trunk: inTrunk };
}

function draw(sides, total, width, transaction) {
  const isWide = width >= wide;
  const gap = isWide ? 10 : 5;
  const count = Math.max(...sides.map((side) => side.length));
  const thick = isWide ? 130 : width - (gap + 2) * count;
  const [from, to] = sides.map((side) => placed(side, thick / total, isWide ? 36 : 0, gap, 2));
  const across = Math.max(from.length, to.length, from.trunk, to.trunk);
  const room = isWide ? across : width;
  const margins = isWide ? sides.map((side) => roomFor(side, transaction.network)) : [18, 4];
  const along = isWide ? width : 150;
  const middle = (margins[0] + along - margins[1]) / 2;
  const shapes = [];
  for (const [side, end, sign] of [[from, margins[0], 1], [to, along - margins[1], -1]]) {
    const shift = (room - side.length) / 2;
    const trunk = (room - side.trunk) / 2;
    for (const { node, thickness, start, trunk: inTrunk } of side.places) {
      const place = start + shift;
      shapes.push(ribbon(node.kind, isWide, [end, place], [middle, trunk + inTrunk], thickness));
      const bar = isWide
        ? { x: end - (sign > 0 ? 5 : 0), y: place, width: 5, height: thickness }
        : { x: place, y: end - (sign > 0 ? 5 : 0), width: thickness, height: 5 };
      shapes.push(svg("rect", { class: node.kind, ...bar }));
      if (isWide) shapes.push(...texts(node, end - 13 * sign, place + thickness / 2, sign, transaction.network));
    }
  }
  if (!isWide) {
    shapes.push(svg("text", { x: width / 2, y: 9, "text-anchor": "middle", class: "flow-name" },
      counted(transaction.inputs.length, "input")));
  }
  const [w, tall] = isWide ? [along, across] : [width, along];
  return svg("svg", {
    role: "img", "aria-label": description(sides, transaction), viewBox: `0 0 ${w} ${Math.ceil(tall)}`,
    width: w, height: Math.ceil(tall),
  }, ...shapes);
}

// A band between two places of the same thickness; a place is along the flow, then across it.
function ribbon(kind, isWide, [a, p], [b, q], thickness) {
  const half = (a + b) / 2;
  const at = (along, across) => (isWide ? [along, across] : [across, along]).map((n) => n.toFixed(1)).join(" ");
  const d = `M${at(a, p)}C${at(half, p)} ${at(half, q)} ${at(b, q)}L${at(b, q + thickness)}`
    + `C${at(half, q + thickness)} ${at(half, p + thickness)} ${at(a, p + thickness)}Z`;
  return svg("path", { class: kind, d });
}

function texts(node, x, y, sign, network) {
  const anchor = sign > 0 ? "end" : "start";
  return lines(node, network).map((line, index) => svg("text", {
    x, y: (y + (node.isJoined ? 4 : index * 16 - 4)).toFixed(1), "text-anchor": anchor,
    class: index > 0 && "flow-name",
  }, line));
}

// How wide a side's texts are: a bold character of 13 pixels' height takes at most 8.5.
function roomFor(side, network) {
  return 16 + 8.5 * Math.max(...side.flatMap((node) => lines(node, network)).map((line) => line.length));
}

const lines = (node, network) => (node.isJoined ? [node.name] : [sum(node, network), node.name]);

function sum(node, network) {
  return node.isFee ? `${node.sat} sat` : amount(node.sat, network);
}

function description([from, to], { network }) {
  const list = (side) => side.map((node) => lines(node, network).join(", ")).join("; ");
  return neutral(`Flow of the money. Inputs: ${list(from)}. Outputs: ${list(to)}.`);
}
