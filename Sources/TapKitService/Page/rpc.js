// JSON-RPC 2.0 over one WebSocket. When it ends, so does the page: nothing is sent again by itself.

export class RPCError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.number = code;
    // The code that the command reports, too.
    this.code = data?.code ?? String(code);
    this.details = data?.details ?? [];
    this.hint = data?.remedy ?? "";
  }
}

// Why there is no session: "used" (the link was used before), "gone" (nobody answers).
export class SessionError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

let socket;
let hasWindow = true;
let nextNumber = 1;
const calls = new Map();
let handlers = {};
const eventListeners = new Set();
const endListeners = new Set();

async function session() {
  // The token is good once, and must not stay in the address bar or in the history.
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token) history.replaceState(null, "", `${location.pathname}#/card`);
  let response;
  try {
    response = await fetch("/session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(token ? { token } : {}),
      credentials: "same-origin",
    });
  } catch {
    throw new SessionError("gone");
  }
  if (!response.ok) throw new SessionError("used");
  hasWindow = (await response.json()).window === true;
}

export async function connect() {
  await session();
  socket = new WebSocket(`ws://${location.host}/rpc`);
  socket.addEventListener("message", ({ data }) => take(JSON.parse(data)));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("close", () => reject(new SessionError("gone")), { once: true });
  });
  socket.addEventListener("close", end);
}

function end() {
  const error = new RPCError({ code: 0, message: "tapkit has ended.", data: { code: "ended" } });
  for (const call of [...calls.values()]) call.settle(() => call.reject(error));
  for (const listener of endListeners) listener();
}

const send = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
};

// "both": this page asks for the yes, and a window of this machine for the CVC; "client": this page asks for both.
export const asks = () => (hasWindow ? "both" : "client");

// { confirm, cvc, newCVC, backupKey }: each is given (params, signal) and resolves to the answer. A rejection answers
// with an error, which is a no. The signal is aborted when nobody wants the answer any more.
export const answering = (given) => { handlers = given; };

export const onEvent = (listener) => {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
};
export const onEnd = (listener) => endListeners.add(listener);

// Resolves to the result, or rejects with RPCError. `signal` cancels the call at the next point where nothing is lost.
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
      finish();
    };
    if (socket?.readyState !== WebSocket.OPEN) {
      reject(new RPCError({ code: 0, message: "tapkit has ended.", data: { code: "ended" } }));
      return;
    }
    calls.set(id, { resolve, reject, settle, onProgress, onNotice, questions });
    send({ id, method, params });
    if (signal?.aborted) cancel();
    else signal?.addEventListener("abort", cancel, { once: true });
  });
}

const questionHandlers = {
  "interaction.confirm": "confirm",
  "interaction.cvc": "cvc",
  "interaction.new_cvc": "newCVC",
  "interaction.backup_key": "backupKey",
};

async function answer({ id, method, params }) {
  const handler = handlers[questionHandlers[method]];
  const call = calls.get(params?.call);
  if (!handler || !call) {
    send({ id, error: { code: -32601, message: "This page cannot ask that." } });
    return;
  }
  try {
    send({ id, result: await handler(params, call.questions.signal) });
  } catch {
    send({ id, error: { code: -32000, message: "Cancelled." } });
  }
}

function take(message) {
  if (message.method === "event") {
    for (const listener of eventListeners) listener(message.params);
  } else if (message.method === "progress") {
    calls.get(message.params.call)?.onProgress?.(message.params);
  } else if (message.method === "notice") {
    calls.get(message.params.call)?.onNotice?.(message.params);
  } else if (message.method) {
    answer(message);
  } else {
    const call = calls.get(message.id);
    if (!call) return;
    call.settle(() => (message.error ? call.reject(new RPCError(message.error)) : call.resolve(message.result)));
  }
}
