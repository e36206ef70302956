// The worker: calls of the engine as messages {id, call, given}, answers as {id, value} or {id, error}; with `lost` where the
// call has left the module in the middle, so that it can answer no more: a trap, or no room for a call.
import { Engine } from "./engine.js";

let engine;

const start = async ({ wasm, files }) => {
  engine = await Engine.make(wasm, files);
  return engine.open();
};

self.onmessage = async ({ data: { id, call, given } }) => {
  try {
    const value = call === "start" ? await start(...given) : engine[call](...given);
    self.postMessage({ id, value });
  } catch (e) {
    const lost = call !== "start" && (e instanceof WebAssembly.RuntimeError || e instanceof RangeError);
    self.postMessage({ id, error: e.message, lost });
  }
};
