// A wallet's balance over time, as a step line and as a table.
import { drawn, h, svg } from "./dom.js";
import { amount, date } from "./format.js";
import { unfolding } from "./parts.js";

const height = 220;
const [top, bottom, edge] = [22, 26, 8];

// The plot for a history's entries, newest first, with balance_sat; null if it cannot be drawn.
export function plotElement(entries, network) {
  if (entries.length === 0 || entries.some((entry) => entry.balance_sat === undefined)) return null;
  const points = pointsOf(entries);
  const picture = drawn({}, (width) => draw(points, network, width));
  return h("div.plot", picture, unfolding("Balance as a table", () => table(points, network)));
}

// Oldest first. Times of blocks may step back a little; the line does not.
function pointsOf(entries) {
  const now = Math.floor(Date.now() / 1000);
  let latest = -Infinity;
  return [...entries].reverse().map((entry) => {
    latest = Math.max(latest, entry.time ?? now);
    return { time: latest, isKnown: entry.time !== undefined, sat: entry.balance_sat };
  });
}

const dayOf = (point) => (point.isKnown ? date(point.time) : "unconfirmed");

function table(points, network) {
  return h("div.scroll", { tabindex: "0", role: "region", "aria-label": "Balance as a table" },
    h("table", h("thead", h("tr", h("th", { scope: "col" }, "Date"),
      h("th", { scope: "col", class: "number" }, "Balance"))),
    h("tbody", [...points].reverse().map((point) => h("tr", h("td", dayOf(point)),
      h("td.number", amount(point.sat, network)))))));
}

function draw(points, network, width) {
  const [first, last] = [points[0], points.at(-1)];
  const end = Math.max(Math.floor(Date.now() / 1000), last.time);
  const span = Math.max(end - first.time, 3600);
  const start = end - span * 1.04;
  const ticks = amountTicks(Math.max(...points.map((point) => point.sat)), width < 500 ? 3 : 5);
  const most = ticks.at(-1);
  const x = (time) => (edge + (time - start) / (end - start) * (width - 2 * edge)).toFixed(1);
  const y = (sat) => (height - bottom - sat / most * (height - top - bottom)).toFixed(1);
  let line = `M${x(start)} ${y(0)}`;
  for (const point of points) line += `H${x(point.time)}V${y(point.sat)}`;
  line += `H${x(end)}`;
  return svg("svg", {
    role: "img", viewBox: `0 0 ${width} ${height}`, width, height,
    "aria-label": `Balance over time, from ${dayOf(first)} until now: ${amount(last.sat, network)}. `
      + "The table below has every step.",
  },
  ticks.map((sat) => svg("path", { class: "plot-grid", d: `M${edge} ${y(sat)}H${width - edge}` })),
  timeTicks(start, end, width).map(({ time, text, anchor }) =>
    svg("text", { class: "plot-text", x: x(time), y: height - 8, "text-anchor": anchor }, text)),
  svg("path", { class: "plot-area", d: `${line}V${y(0)}Z` }),
  svg("path", { class: "plot-line", d: line }),
  points.length <= 200 && points.map((point) => svg("circle", {
    class: "plot-dot", cx: x(point.time), cy: y(point.sat), r: 2.5,
  }, svg("title", `${dayOf(point)}: ${amount(point.sat, network)}`))),
  ticks.map((sat) => sat > 0
    && svg("text", { class: "plot-text", x: edge, y: y(sat), dy: -4 }, amount(sat, network))));
}

// Round amounts from 0 to at least the largest.
function amountTicks(largest, count) {
  const rough = Math.max(largest, count) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  return Array.from({ length: Math.max(Math.ceil(largest / step), 1) + 1 }, (_, index) => Math.round(index * step));
}

function tickText(time, span, count) {
  if (span < count * 86400) return new Date(time * 1000).toLocaleTimeString(undefined, { timeStyle: "short" });
  if (span < count * 40 * 86400) return date(time);
  return new Date(time * 1000).toLocaleDateString(undefined, { year: "numeric", month: "short" });
}

function timeTicks(start, end, width) {
  const count = Math.max(2, Math.min(7, Math.floor(width / 130)));
  return Array.from({ length: count }, (_, index) => {
    const time = start + (end - start) * index / (count - 1);
    return { time, text: tickText(time, end - start, count),
      anchor: ["start", "end"][[0, count - 1].indexOf(index)] ?? "middle" };
  });
}
