// JSON-RPC 2.0 over one WebSocket. When it ends, so does the page: nothing is sent again by itself.

// What went wrong: `code` as the command reports it; `hint`: what to do about it.
export class RPCError extends Error {
  constructor({ code, message, data }) {
    super(message);
    Object.assign(this, { code: data?.code ?? String(code), details: data?.details ?? [], hint: data?.remedy ?? "" });
  }
}
const ended = (code = "ended") => new RPCError({ message: "tapkit has ended.", data: { code } });

let socket;
let hasWindow = true;
let nextNumber = 1;
const calls = new Map();
let handlers = {};
let eventListener;
let endListener;

async function session() {
  // The token does not stay in the address bar, and is good only once.
  const token = /^#([\w-]+)$/.exec(location.hash)?.[1] ?? "";
  if (token) history.replaceState(null, "", `${location.pathname}#/card`);
  const response = await fetch("/session", { method: "POST", body: token }).catch(() => { throw ended(); });
  if (!response.ok) throw ended(token ? "link_used" : "link_missing");
  hasWindow = (await response.json()).window === true;
}

// Rejects with link_used if the link was used before, link_missing, or ended if nobody answers.
export async function connect() {
  await session();
  socket = new WebSocket(`ws://${location.host}/rpc`);
  socket.addEventListener("message", ({ data }) => take(JSON.parse(data)));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("close", () => reject(ended()), { once: true });
  });
  socket.addEventListener("close", end);
}

function end() {
  for (const call of [...calls.values()]) call.settle(({ reject }) => reject(ended()));
  endListener?.();
}

const send = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
};

// "both": this page asks for the yes, a window of this machine for the CVC; "client": this page for both.
export const asks = () => (hasWindow ? "both" : "client");

// {"interaction.…": (params, signal) → promise of the answer}. A rejection is a no. The signal is
// aborted when nobody wants the answer any more.
export const answering = (given) => { handlers = given; };

export const onEvent = (listener) => { eventListener = listener; };
export const onEnd = (listener) => { endListener = listener; };

// Resolves to the result, or rejects with RPCError. `signal` cancels the call where nothing is lost.
export function call(method, params = {}, { onProgress, onNotice, signal } = {}) {
  const id = nextNumber++;
  return new Promise((resolve, reject) => {
    const questions = new AbortController();
    const cancel = () => {
      questions.abort();
      send({ id: nextNumber++, method: "cancel", params: { call: id } });
    };
    const settle = (finish) => {
      calls.delete(id);
      questions.abort();
      signal?.removeEventListener("abort", cancel);
      finish({ resolve, reject });
    };
    if (socket?.readyState !== WebSocket.OPEN) return reject(ended());
    calls.set(id, { settle, onProgress, onNotice, questions });
    send({ id, method, params });
    if (signal?.aborted) cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
  });
}

async function answer({ id, method, params }) {
  const handler = handlers[method];
  const call = calls.get(params?.call);
  if (!handler || !call) return send({ id, error: { code: -32601, message: "This page cannot ask that." } });
  try {
    send({ id, result: await handler(params, call.questions.signal) });
  } catch {
    send({ id, error: { code: -32000, message: "Cancelled." } });
  }
}

function take(message) {
  const { id, method, params, result, error } = message;
  if (method === "event") eventListener?.(params);
  else if (method === "progress") calls.get(params.call)?.onProgress?.(params);
  else if (method === "notice") calls.get(params.call)?.onNotice?.(params);
  else if (method) answer(message);
  else calls.get(id)?.settle((call) => (error ? call.reject(new RPCError(error)) : call.resolve(result)));
}
