// Draws QR codes of addresses.
import { svg } from "./dom.js";
import { call } from "./rpc.js";

// Modules of white on each side. Spec: ISO/IEC 18004, "Quiet zone".
const quiet = 4;

// The code of a bitcoin: link, black on white in dark mode too: many cameras read nothing else.
export async function qrElement(uri, label) {
  // An address of letters of one case makes a smaller code. Spec: BIP-173, "Uppercase/lowercase".
  const text = /^bitcoin:(bc|tb|bcrt)1/.test(uri) ? uri.toUpperCase() : uri;
  const { size, rows } = await call("qr", { text });
  const side = size + 2 * quiet;
  let path = "";
  rows.forEach((row, y) => {
    for (const run of row.matchAll(/1+/g)) {
      path += `M${run.index + quiet} ${y + quiet}h${run[0].length}v1h-${run[0].length}z`;
    }
  });
  return svg("svg", {
    class: "qr", role: "img", "aria-label": label, viewBox: `0 0 ${side} ${side}`, "shape-rendering": "crispEdges",
  }, svg("rect", { width: side, height: side, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}
