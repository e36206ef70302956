// The page's parts that need no browser: links, messages, values, and the cursor in a recording of the module.
//
//   node tests/pages/parts.js
import { readFileSync } from "node:fs";
import { Duplex } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { createDeflateRaw, createInflateRaw, deflateRawSync } from "node:zlib";
import { command, module } from "./lib/built.js";
import { check, ended, refused } from "./lib/count.js";
import { App } from "../../scripts/web/page/app.js";
import { Client } from "../../scripts/web/page/client.js";
import { diagnostics } from "../../scripts/web/page/diagnostics.js";
import { ranges } from "../../scripts/web/page/dom.js";
import { Engine } from "../../scripts/web/page/engine.js";
import { failed as failedRun, verdict } from "../../scripts/web/page/problems.js";
import { handIn } from "../../scripts/web/page/hand_in.js";
import { decode, encode } from "../../scripts/web/page/share.js";
import { FORMATS, usual, wayAt } from "../../scripts/web/page/values.js";
import { pack } from "../../scripts/web/pack.js";
import { spelled, unspelled } from "../../scripts/web/seven.js";

const same = (found, expected, what) =>
  check(isDeepStrictEqual(found, expected), `${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);

const broken = (what, fragment, words) => refused(what, () => decode(fragment), words);

// Node 18, Debian 12's, has no "deflate-raw" in these streams of browsers.
try {
  new CompressionStream("deflate-raw");
} catch {
  globalThis.CompressionStream = function () { return Duplex.toWeb(createDeflateRaw()); };
  globalThis.DecompressionStream = function () { return Duplex.toWeb(createInflateRaw()); };
}

// ---- bytes in a page ----

for (let length = 0, seed = 1; length < 300; length++) {
  const bytes = Uint8Array.from({ length }, () => (seed = seed * 1664525 + 1013904223 >>> 0) >>> 24), text = spelled(bytes);
  if (isDeepStrictEqual(unspelled(text), bytes) && !/[\0\r<]/.test(text) && text.length === Math.ceil(length * 8 / 7)) continue;
  check(false, `${length} bytes are other bytes, or text that HTML changes: ${JSON.stringify(text)}`);
}
same(spelled([0, 0, 0x1a, 0x78]), "\x80\x80\x03'@", "NUL is not spelled as it is");

// ---- hand-ins ----

// Read by tests/studies/class.lua.
same(handIn({ lesson: 1, source: ".kernel k\n; ü?>\n", version: "0.1.0", name: "", seed: undefined, prediction: "26", attempts: 3, hints: undefined }),
  "heddle-hand-in-1.eyJsZXNzb24iOjEsInNvdXJjZSI6Ii5rZXJuZWwga1xuOyDDvD8-XG4iLCJ2ZXJzaW9uIjoiMC4xLjAiLCJwcmVkaWN0aW9uIjoiMjYiLCJhdHRl" +
  "bXB0cyI6M30.227eee23", "a hand-in");

// ---- links ----

const plain = (given) => `#0${Buffer.from(JSON.stringify(given)).toString("base64url")}`;
const full = { source: "; ä → \u{1f9f5}\n.kernel k\nexit\n", name: "k.hd", board: { name: "b", text: "sms: 1\n" }, case: "2", warp: 16,
  step: 7, at: "1.3", lesson: 4, files: { "lib/a.hd": "; a\n" }, version: "0.1.0" };
same(await decode(await encode(full)), full, "a full link");
same(await decode(plain(full)), full, "a full link of the command");
same(await decode(await encode({ source: "x", name: "mine.hd", board: "teach8", warp: 0, case: null, step: null })),
  { name: "mine.hd", source: "x", board: { name: "teach8" } }, "defaults are left out");
same(await decode(plain({ source: "x", later: [1] })), { name: "mine.hd", source: "x" }, "keys of later versions are passed over");
same(await decode(plain({ lesson: 3 })), { name: "mine.hd", lesson: 3 }, "a lesson alone");
same(await decode(""), null, "no link");
const link = await encode(full);
await broken("a link of another kind", "#about", "not made by heddle");
await broken("a link cut short", link.slice(0, -9), "broken");
await broken("a link with a letter changed", `${link.slice(0, 20)}${link[20] === "A" ? "B" : "A"}${link.slice(21)}`, "broken");
const zeros = deflateRawSync(Buffer.concat([Buffer.from('{"source":"'), Buffer.alloc(64 << 20, " "), Buffer.from('"}')]));
await broken("a link that unpacks to 64 MiB", `#1${zeros.toString("base64url")}`, "unpacks to more than 4,194,304");
await broken("a link with no kernel", plain({ board: "teach8" }), "holds no kernel");
await broken("a link with a wrong type", plain({ source: "x", warp: "8" }), "'warp' is no number");
await broken("a link with a wrong board", plain({ source: "x", board: 8 }), "board");
let long = "";
for (let i = 0, n = 1; i < 40_000; i++, n = n * 48271 % 0x7fffffff) long += String.fromCharCode(33 + n % 90);
await broken("a name over two lines", plain({ source: "x", name: "a\nb.hd" }), "control characters");
await refused("a long link", () => encode({ source: long, name: "k.hd" }), "16,384 are the most");

// ---- messages and values ----

const found = diagnostics("k.hd:3:9: error: no 'fmb'; did you mean 'fma'?\n     3 |         fmb r1\n       |         ^~~\n" +
  "k.hd:7: warning: late\n  in block 1\n");
same(found.map(({ line, column, width, severity, detail }) => [line, column, width, severity, detail]),
  [[3, 9, 3, "error", []], [7, null, 1, "warning", ["in block 1"]]], "two messages");
same(diagnostics("no position").map(({ line, message }) => [line, message]), [[null, "no position"]], "a message without a place");
same(diagnostics(null), [], "no message");
const floats = [[0, "0"], [0x80000000, "-0"], [0x40000000, "2"], [0x3dcccccd, "0.1"], [0x7f800000, "inf"], [0xff800000, "-inf"],
  [0x7fc00000, "nan"], [1, "1e-45"]];
for (const [bits, text] of floats) same(FORMATS.float.show(bits), text, `float of ${bits.toString(16)}`);
same(FORMATS.signed.show(0xffffffff), "-1", "signed");
same(FORMATS.unsigned.show(0xffffffff), "4294967295", "unsigned");
same(FORMATS.halves.show(0x3c00c000), "-2 1", "halves, the low one first");
same(FORMATS.halves.show(0x7c00fe00), "nan inf", "halves that are no numbers");
const code = ["s2r r4, %tid.x", "mad.wide.u32 r6, r4, 4, r6", "ld.global.b32 r4, [r6]", "@!p0 fma.f32 r5, r4, r4, r5"];
const ways = usual(code.map((line) => ({ disassembly: line })));
same([[4, 0], [4, 2], [6, 3], [9, 0]].map(([register, pc]) => wayAt(ways, register, pc)), ["unsigned", "float", "hex", "hex"],
  "the usual way to show a register");
same([[5, 0, 1, 2, 9, 8], [3], []].map((list) => ranges(list, "-")), ["0-2, 5, 8-9", "3", ""], "numbers in a row");

// ---- the cursor, with the module in place of the worker ----

const engine = await Engine.make(module(), pack(command));
const client = new Proxy(engine, { get: (of, name) => async (...given) => of[name](...given) });
const app = new App(client, engine.open());
let text = "", said = "";
app.editor = { set: (given) => { text = given; }, text: () => text, show: () => {} };
app.saying = (sentence) => { said = sentence; };
await app.first();
await app.run();
const { state: { result, record } } = app;
check(result?.cycles > 500 && result.expectations.met === 1, `saxpy: ${said}`);
check(record.count === result.events && record.issues.length === result.warp_instructions, "the recording has not all issues");
check(record.warps.size === 32 && [...record.warps.values()].every(({ end }) => end !== null), "a warp has no end");

function where() {
  const { index, at, next, machine, access } = app.state;
  return JSON.stringify({ index, at, next, machine, access });
}

async function there(count, step, back) {
  const on = [where()];
  for (let i = 0; i < count; i++) await app[step]();
  const far = where();
  for (let i = 0; i < count; i++) {
    await app[back]();
    on.push(where());
  }
  check(far !== on[0] && on.at(-1) === on[0], `${count} times ${step} and ${back} end elsewhere`);
}
await there(10, "step", "back");
await there(40, "stepAny", "backAny");
await app.end();
check(app.state.next === null && app.state.machine.ended, "a warp at its end goes on");
check(app.step() === null, "a step behind the end");
await app.begin();
check(app.back() === null && app.state.next.pc === 0, "a step before the beginning");
await app.reach(38);
const { machine, access, next } = app.state;
check(next.cycle === 613 && machine.reason === "long_scoreboard" && machine.from === 417, `line 38: ${JSON.stringify(next)}`);
const { event, lines } = access;
check(event.operation === "load" && event.addresses.length === 8 && lines.length === 1, `its access: ${JSON.stringify(access)}`);
await app.reach(38);
check(said.includes("does not come to line 38"), `line 38 again: ${said}`);
await app.barrier();
check(said.includes("no barrier"), `a kernel without barriers: ${said}`);
await Promise.all([app.begin(), app.step(), app.step(), app.step()]);
check(app.state.next.pc === 3 && app.state.machine.pc === 3, "steps that are asked at once do not add up");
await app.move({ index: 0, block: 3, warp: 7 });
check(app.state.machine === null && app.state.next, "a warp that has not begun has registers");

await app.choose("classic/scan");
await app.run();
check(app.state.board.name === "teach32" && app.state.result, `scan on the board that takes its blocks: ${said}`);
await app.barrier();
const first = app.state.next;
await app.barrier();
check(first && app.state.next.index > first.index, "the second barrier is not behind the first");

await app.choose("isa/faults");
await app.run();
check(!failedRun(app.state) && verdict(app.state).startsWith("Fault, as expected"), "a fault that is expected fails");
check(app.state.next.index === app.state.record.issues.at(-1), "the cursor is not at the fault");
text = text.replace(/;! fault out_of_bounds.*/, "");
await app.run();
check(app.state.result.fault && failedRun(app.state), "a fault that nobody expects is no failure");

text = text.replace("exit", "exot");
await app.run();
check(app.state.result === null && app.state.refused.includes("did you mean 'exit'"), `a wrong instruction: ${app.state.refused}`);

// ---- a module that breaks off is started again ----

const workers = [];
globalThis.Worker = class {
  constructor() { workers.push(this); }
  postMessage({ id, call }) {
    const answer = call === "run" && workers.length === 1 ? { id, error: "unreachable", lost: true } : { id, value: call };
    queueMicrotask(() => this.onmessage({ data: answer }));
  }
  terminate() {}
};
const anew = new Client("", {});
await refused("a run that breaks off", () => anew.run({}), "started again, which is a mistake of heddle's: unreachable");
check(workers.length === 2 && await anew.run({}) === "run", "no worker takes the place of one that broke off");

ended();
