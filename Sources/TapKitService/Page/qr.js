// Draws a QR code from the rows of 0 and 1 that the method qr answers.
import { svg } from "./dom.js";
import { errorNotice } from "./parts.js";
import { call } from "./rpc.js";

// Modules of white on each side. Spec: ISO/IEC 18004, "Quiet zone".
const quiet = 4;

// Black on white in dark mode too: many cameras read nothing else.
function qrElement({ size, rows }, label) {
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

// The code of a payment link, or why there is none. In capitals it is smaller. Spec:
// BIP-173, "Uppercase/lowercase".
export const paymentCode = (uri, label) =>
  call("qr", { text: /^bitcoin:(bc|tb|bcrt)1/.test(uri) ? uri.toUpperCase() : uri })
    .then((code) => qrElement(code, label), (error) => errorNotice(error, "warning"));
