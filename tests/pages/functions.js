// The functions of the WebAssembly module: boards as lines, diagnostics, bounds, and a recording forth and back.
//
//   node tests/pages/functions.js
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { command, module } from "./lib/built.js";
import { check, ended, refused } from "./lib/count.js";
import { open } from "../../scripts/web/heddle.js";

const heddle = await open(module());

// ---- boards: each value as the native build reads it from YAML ----

const ask = (...args) => execFileSync(command, args, { encoding: "utf8" });

for (const file of readdirSync("configs").filter((file) => file.endsWith(".yaml"))) {
  const name = file.replace(".yaml", ""), native = JSON.parse(ask("board", name, "--json", "-"));
  const text = ask("board", name), board = heddle.board(name, text), values = board.values;
  check(board.name === native.board, `${name}: is called ${board.name}`);
  const told = new Map(Object.entries(native.values ?? {}).map(([k, v]) => [v.key ?? k, v.value ?? v]));
  check(told.size === values.length, `${name}: ${values.length} values, not ${told.size}`);
  for (const { key, value } of values) check(told.get(key) === value, `${name}: ${key} is ${value}, not ${told.get(key)}`);
  const dotted = values.map(({ key }) => key), lines = text.split("\n");
  check(values.every(({ origin }) => lines[+origin.split(":")[1] - 1]), `${name}: origins name no lines`);
  check(dotted.includes("l2.slices"), `${name}: has no l2.slices`);
}
const plain = ask("board", "teach8");
const value = (board, key) => board.values.find((v) => v.key === key).value;
check(value(heddle.board("b", plain.replace(/^sms: \d+/m, "sms: 3")), "sms") === 3, "sms is not taken");
check(value(heddle.board("b", "sms: 3\r\n# nothing\nl2.latency: 77 # why\n"), "l2.latency") === 77, "dotted keys");
check(heddle.board("b", 'name: "a # \\"b"\n').name === 'a # "b', "a name in quotes");
await refused("an unknown key", () => heddle.board("b.yaml", "l2:\n  slics: 3\n"), "b.yaml:2:3: error: ");
await refused("a key twice", () => heddle.board("b", "sms: 3\nsms: 4\n"), "b:2:1: error: 'sms' is set twice, first in line 1");
await refused("a base", () => heddle.board("b", "base: a.yaml\n"), "only in a YAML file");
await refused("a line without a colon", () => heddle.board("b", "sms 3\n"), "b:1:1: error: a board is a list");
await refused("a value out of range", () => heddle.board("b", "sms: 0\n"), "b:1:6: error: ");
await refused("a long line", () => heddle.board("b", `sms: ${"1".repeat(300)}\n`), "at most 255 characters");
await refused("a NUL", () => heddle.board("b", "sms: 3\0\n"), "b:1:6: error: ");
check(heddle.board("b", "").values.length > 50, "an empty board is all defaults");

// ---- programs and buffers ----

const saxpy = readFileSync("kernels/classic/saxpy.hd", "utf8");
await refused("a wrong instruction", () => heddle.load("k.hd", saxpy.replace("fma.f32", "fmb.f32")), "did you mean 'fma.f32'");
await refused("a missing include", () => heddle.load("k.hd", '.include "no.hd"\n'), "no.hd");
const program = heddle.load("saxpy.hd", saxpy);
check(program.kernels[0].name === "saxpy" && program.names.some((n) => n.name === "beyond"), "names of saxpy");
await refused("a buffer beyond the memory", () => heddle.buffer("x", "f64", [0xffffffff]), "memory");
await refused("more than 32 bits of bytes", () => heddle.buffer("x", "f64", [0x10000, 0x10000, 2]), "memory");
await refused("a long number", () => heddle.scalar("n", "1".repeat(64)), "at most 63 characters");
await refused("a long name", () => heddle.scalar("n".repeat(64), "1"), "at most 63 characters");
await refused("a buffer with a long name", () => heddle.buffer("n".repeat(64), "u32", [1]), "at most 63 characters");
await refused("an unknown type", () => heddle.buffer("x", "f99", [1]), "f99");

// ---- a recording: the same states forth and back, and a watched launch as an unwatched one ----

function prepare() {
  heddle.reset();
  heddle.board("teach8", plain);
  heddle.load("saxpy.hd", saxpy);
  const x = heddle.buffer("x", "f32", [250]);
  new Float32Array(x.buffer, x.byteOffset, 250).forEach((_, i, all) => { all[i] = i; });
  heddle.buffer("y", "f32", [250]);
  heddle.scalar("a", "2");
  heddle.scalar("n", "250");
}
prepare();
await refused("too small a limit", () => heddle.launch({ grid: [4], block: [64], limit: 10 }), "10 ");
prepare();
const unwatched = heddle.launch({ grid: [4], block: [64] });
prepare();
const watched = heddle.launch({ grid: [4], block: [64], watch: 16 << 20 });
const y = heddle.data("y");
check(new Float32Array(y.buffer, y.byteOffset, 250).every((v, i) => v === 2 * i), "y is not 2 x");
check(watched.cycles === unwatched.cycles && watched.events > 100 && watched.complete === undefined, "a watched launch differs");
const events = heddle.events(0, watched.events);
check(events.length === watched.events, `${events.length} of ${watched.events} events`);
const issues = events.flatMap((e, i) => e.kind === "issue" && e.block === 1 && e.warp === 0 ? [i] : []);
const forth = issues.map((i) => JSON.stringify(heddle.state(1, 0, i + 1)));
const back = [...issues].reverse().map((i) => JSON.stringify(heddle.state(1, 0, i + 1))).reverse();
check(issues.length > 10 && new Set(forth).size === forth.length, "states do not change");
check(forth.every((state, i) => state === back[i]), "a state is another on the way back");
await refused("a warp that is not there", () => heddle.state(99, 0, 10), "99");
check(events.some((e) => e.addresses?.length === 8), "no access names the addresses of its lanes");

// ---- the debugger ----

const at = heddle.debug("until 38", { block: 1, warp: 0, event: 0 });
check(at.block === 1 && at.text.includes("fma.f32"), `until 38: ${at.text}`);
check(heddle.debug("why", heddle.debug("until 38", { block: 1, warp: 1, event: 0 })).text.includes("long_scoreboard"), "why");
heddle.debug("where", at);
check(heddle.debug("who xv").event < at.event, "who xv does not go back");
check(heddle.debug("where", at).event === at.event, "the cursor is not at the event");
await refused("a word of gdb", () => heddle.debug("tbreak 9"), "there is no 'tbreak' here: `until WHERE`");
await refused("a command that is none", () => heddle.debug("whys"), "there is no command 'whys'");
await refused("a warp without events", () => heddle.debug("where", { block: 99, warp: 0, event: 3 }), "no such warp");
prepare();
await refused("no launch", () => heddle.debug("where"), "recorded");
heddle.launch({ grid: [4], block: [64] });
await refused("a launch that was not watched", () => heddle.debug("where"), "recorded");

const { instructions, registers } = heddle.words;
const named = (list, name) => list.find((row) => row.name === name);
check(instructions.length === new Set(instructions.map((row) => row.name)).size, "an instruction stands twice");
check(instructions.every((row) => row.syntax.startsWith(row.name) && row.doc), "an instruction has no syntax or no text");
check(named(instructions, "fma.f32")?.syntax.endsWith(" d, a, b, c"), "fma.f32 has another syntax");
check(named(registers, "%tid.x")?.doc, "%tid.x is not a special register");

ended();
