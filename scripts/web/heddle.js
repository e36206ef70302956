// heddle in WebAssembly: texts and numbers across its functions (sim/web/door.h), the same in a page, a worker and node.
//
//   const heddle = await open(bytes);
//   heddle.board("teach8", text); heddle.load("k.hd", source);
//   heddle.buffer("x", "f32", [250])                            a Uint8Array of its data, to be filled at once
//   const result = heddle.launch({grid: [4], block: [64]});     throws Refused with heddle's own words
//
//   heddle.case("2"); heddle.run({watch: 16 << 20})             or a case of the kernel's own: buffers, arguments, checks
//   heddle.lua("answer.lua", "return ...", "text")              the string that a script returns
//
// A view of memory is good until the next call: memory can move when it grows.
import { system } from "./files.js";

export class Refused extends Error {
  constructor(answer) {
    super(answer.error ?? "heddle gave no answer");
    this.answer = answer;
  }
}

const encoder = new TextEncoder(), decoder = new TextDecoder();

class Thrown extends Error {} // by an error of Lua, below

// `files`: texts by their paths in the source tree, for scripts, cases, and kernels that include others.
export async function open(bytes, files = {}) {
  let exports;
  // Lets errors of Lua leave C (sim/web/throw.h): the stack of C is as before the call that caught.
  const heddle = {
    throw() { throw new Thrown(); },
    try(f, state, data) {
      const stack = exports.__stack_pointer.value;
      try {
        exports.__indirect_function_table.get(f)(state, data);
        return 0;
      } catch (e) {
        if (!(e instanceof Thrown)) throw e;
        exports.__stack_pointer.value = stack;
        return 1;
      }
    }
  };
  const { calls, put } = system(files, () => exports.memory);
  const { instance } = await WebAssembly.instantiate(bytes, { heddle, wasi_snapshot_preview1: calls });
  exports = instance.exports;
  exports._initialize?.();
  return new Heddle(exports, put);
}

// struct door_launch
function asked({ grid = [], block = [], warp = 0, functional = false, watch = 0, limit = 0, check = false }) {
  const three = (list) => [list[0] ?? 0, list[1] ?? (list.length ? 1 : 0), list[2] ?? (list.length ? 1 : 0)];
  return [...three(grid), ...three(block), warp, +functional, watch, limit, +check];
}

class Heddle {
  constructor(exports, put) {
    this.exports = exports;
    this.put = put; // (path, text): one more file
    this.door = exports.door_new();
    if (!this.door) throw new Error("no memory for heddle");
    this.words = this.call("words").answer;
  }

  // A context of its own in the same module.
  another() { return new Heddle(this.exports, this.put); }

  place(data) {
    const at = this.exports.door_alloc(data.length);
    if (!at) throw new Error("no memory for heddle");
    new Uint8Array(this.exports.memory.buffer).set(data, at);
    return at;
  }

  // Calls door_NAME with texts, numbers and arrays of 32-bit words.
  call(name, ...given) {
    const places = [];
    const at = (data) => (places.push(this.place(data)), places.at(-1));
    const values = given.map((v) => typeof v === "string" ? at(encoder.encode(v.replaceAll("\0", "\ufffd") + "\0"))
      : Array.isArray(v) ? at(new Uint8Array(Uint32Array.from(v).buffer)) : v);
    try {
      const value = this.exports[`door_${name}`](this.door, ...values);
      return { value, answer: this.answer() };
    } finally {
      for (const place of places) this.exports.door_free(place);
    }
  }

  answer() {
    const length = this.exports.door_length(this.door);
    const text = new Uint8Array(this.exports.memory.buffer, this.exports.door_answer(this.door), length);
    return length ? JSON.parse(decoder.decode(text)) : {};
  }

  must(name, ...given) {
    const { value, answer } = this.call(name, ...given);
    if (!value) throw new Refused(answer);
    return { value, answer };
  }

  reset() { this.must("reset"); }
  load(name, text) { return this.must("load", 0, name, text).answer; }
  board(name, text) { return this.must("board", name, text).answer; }
  set(settings) { this.must("set", settings); }
  scalar(name, text) { this.must("scalar", name, String(text)); }

  buffer(name, type, shape) {
    const { value, answer } = this.must("buffer", name, type, shape.length, shape);
    return new Uint8Array(this.exports.memory.buffer, value, answer.bytes);
  }

  data(name) {
    const { value, answer } = this.must("data", name);
    return new Uint8Array(this.exports.memory.buffer, value, answer.bytes);
  }

  launch({ entry = "", ...how }) {
    const { value, answer } = this.call("launch", entry, asked(how));
    if (value !== 0) throw new Refused(answer);
    return answer;
  }

  case(which = "") { return this.must("case", which).answer; }

  // A fault is an answer, too, with `error` and `fault`, since a case may expect it.
  run(how) {
    const { value, answer } = this.call("run", asked(how));
    if (value > 1) throw new Refused(answer);
    return answer;
  }

  lua(name, script, given = "") { return this.must("lua", name, script, given).answer.value; }

  // Returns events as rows of `width` words: kind, cycle, sm, block, warp, pc, and the numbers of the kind's fields;
  // 2^32 - 1 = none.
  rows(from, count) {
    const at = this.exports.door_columns(this.door, from, count), bytes = this.exports.door_length(this.door);
    return { width: this.words.row, words: new Uint32Array(this.exports.memory.buffer, at, bytes / 4).slice() };
  }

  // Buffers of the last launch: {name, type, shape, count, bytes, address}.
  buffers() { return this.must("buffers").answer.buffers; }

  // Bytes of a buffer from before the last launch; null if they were not kept.
  before(name) {
    const bytes = this.data(name).length, { value } = this.call("before", name);
    return value ? new Uint8Array(this.exports.memory.buffer, value, bytes) : null;
  }

  // What each lane did to a part of memory, as rows of `width` words (sim/web/door_memory.c).
  touches({ shared, block, from, count }) {
    const at = this.exports.door_touches(this.door, +shared, block, from, count), bytes = this.exports.door_length(this.door);
    return { width: this.words.touch, words: new Uint32Array(this.exports.memory.buffer, at, at ? bytes / 4 : 0).slice() };
  }

  events(from, count) { return this.must("events", from, count).answer.events; }
  state(block, warp, before) { return this.must("state", block, warp, before).answer; }

  // Runs a command of the debugger (docs/debug.md): its text, and the cursor, which first moves to `at`, if given.
  debug(command, at) { return this.must("debug", command, at?.block ?? 0, at?.warp ?? 0, at?.event ?? 0xffffffff).answer; }
}
