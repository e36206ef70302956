// The worker: calls of the engine as messages {id, call, given}, answers as {id, value} or {id, error}.
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
    self.postMessage({ id, error: e.message });
  }
};
