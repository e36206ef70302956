// Are the data that the page shows those of the machine? Contents of memory as `print` and `who` of the debugger have them, values
// between lanes as each instruction left them, and registers in one cell as in all.
//
//   node tests/pages/data.js
import { command, module } from "./lib/built.js";
import { check, ended } from "./lib/count.js";
import { arraysOf, Contents } from "../../scripts/web/page/contents.js";
import { element } from "../../scripts/web/page/elements.js";
import { Engine } from "../../scripts/web/page/engine.js";
import { exchangeOf, isExchange } from "../../scripts/web/page/exchange.js";
import { elementOf, fold } from "../../scripts/web/page/fold.js";
import { columnsOf, nameOf, touched } from "../../scripts/web/page/pictures/memory.js";
import { pack } from "../../scripts/web/pack.js";

const engine = await Engine.make(module(), pack(command));
const { kernels } = engine.open(), WATCH = 32 << 20;

function run(name, board, warp, change = (text) => text) {
  const { name: path, text } = engine.kernel(name), source = change(text), { cases } = engine.look(path, source);
  const result = engine.run({ name: path, source, warp, case: 1, board: engine.board(board), watch: WATCH });
  const { buffers, wrong } = engine.memory();
  return { result, wrong, code: result.program.code, arrays: arraysOf(result, buffers, cases), events: engine.events(0, result.events) };
}

// ---- contents ----

const part = ({ result, code }, array, first, count, block) => new Contents({ array, first, count,
  ...engine.part({ array, first, count, block }) }, code);

// The elements that `print` shows, as texts.
function printed(array, first, count, block, cursor) {
  const range = count > 1 ? `[${first}..${first + count - 1}]` : `[${first}]`;
  const { text } = engine.heddle.debug(`print ${array.name}${range}`, { block, warp: 0, event: cursor });
  return text.split("\n").flatMap((line) => /^\S+\[\d+\]/.test(line) ? line.replace(/^\S+/, "").trim().split(/ +/) : []);
}

const COMPARED = [["classic/saxpy", "teach8", 8], ["classic/transpose_tiled", "teach32", 32], ["classic/scan", "teach32", 32],
  ["classic/histogram", "teach32", 32], ["classic/compact", "teach32", 32], ["mask/packed", "teach32", 32]].filter(([name]) => kernels.includes(name));
for (const [name, board, warp] of COMPARED) {
  const ran = run(name, board, warp), block = ran.events.at(-1).block ?? 0;
  let known = 0;
  for (const array of ran.arrays) {
    const count = Math.min(100, array.count), first = array.count - count, contents = part(ran, array, first, count, block);
    for (let k = 0; k <= 8; k++) {
      const cursor = Math.floor(k * ran.result.events / 8), text = printed(array, first, count, block, cursor);
      check(text.length === count, `${name}: print ${array.name} has ${text.length} elements`);
      text.forEach((word, i) => {
        const { state, bytes } = contents.at(i, cursor), own = state === "known" ? element(bytes, array.type) : ".";
        const fits = word === "?" || word === own || (state === "never" && word === "0") || Number(word) === Number(own);
        check(fits, `${name}: ${array.name}[${first + i}] before event ${cursor} is ${own} (${state}), print has ${word}`);
        known += word !== "?" && state === "known";
      });
    }
    if (array.shared) continue;
    const data = engine.heddle.data(array.name).slice(), { size } = array;
    for (let i = 0; i < count; i++) {
      const { state, bytes } = contents.at(i, ran.result.events), at = (first + i) * size;
      check(state === "never" || (state === "known" && bytes.every((byte, k) => byte === data[at + k])),
        `${name}: ${array.name}[${first + i}] is not what the launch has left`);
    }
  }
  check(known > 200, `${name}: ${known} values were compared`);
}

// ---- who stored it, and what is wrong ----

const broken = run("classic/saxpy", "teach8", 8, (text) => text.replace("setp.ge.u32     beyond, i, size", "setp.ge.u32     beyond, i, 249"));
check(JSON.stringify(broken.wrong) === '[["y",249]]', `what is wrong: ${JSON.stringify(broken.wrong)}`);
const y = broken.arrays.find(({ name }) => name === "y"), last = part(broken, y, 0, 250, 0);
const { by } = last.at(100, Infinity), who = engine.heddle.debug("who y[100]", { block: 0, warp: 0, event: broken.result.events });
check(by.issue === who.event || who.text.includes(`lane ${by.lane}`), `who stored y[100]: ${JSON.stringify(by)}, ${who.text}`);
check(by.block === 1 && by.warp === 4 && by.lane === 4, `y[100] is of thread 100: ${by.block}.${by.warp}, lane ${by.lane}`);
check(last.at(249, Infinity).by === null, "nobody has stored y[249]");
check(last.at(100, by.issue + 1).late && !last.at(100, broken.result.events).late, "a store that has just issued is in memory");
check(!last.at(100, by.issue).last && last.at(100, by.issue + 1).last, "the last store is the last");

// What is looked at afterwards, kernels and boards, leaves the run as it is.
engine.look("k.hd", ".kernel other\nexit\n");
engine.board("v100");
check(part(broken, y, 0, 250, 0).at(100, Infinity).by?.issue === by.issue, "another kernel and another board take the recording away");

// The result of each atomic, in shared memory: counters of a histogram only grow, and end at what was left.
const counted = run("classic/histogram", "teach32", 32), bins = counted.arrays.find(({ shared }) => shared);
const counters = part(counted, bins, 0, Math.min(64, bins.count), 0);
for (let i = 0, before = 0; i < counters.count; i++, before = 0) for (let k = 1; k <= 16; k++) {
  const { state, bytes } = counters.at(i, Math.floor(k * counted.result.events / 16)), value = +element(bytes, "u32");
  check(state !== "known" || value >= before, `counter ${i} falls from ${before} to ${value}`);
  if (state === "known") before = value;
}

// ---- names and places ----

const tile = { name: "tile", type: "f32", shape: [8, 9], count: 72, size: 4, address: 64, shared: true };
check(nameOf(tile, 19) === "tile[2][1]" && nameOf({ name: "x", shape: [] }, 0) === "x", "names of elements");
check(columnsOf(tile, 0) === 9 && columnsOf(tile, 32) === 32 && columnsOf({ shape: [250], count: 250 }, 0) === 16 &&
  columnsOf({ shape: [4, 1000], count: 4000 }, 0) === 16, "columns");
check([...touched(tile, { addresses: [60, 68], bytes: 8 })].join() === "0,1,2", "elements of an access that begins before");
for (const [bytes, type, text] of [[[0, 0, 128, 63], "f32", "1"], [[255], "s8", "-1"], [[0, 60], "f16", "1"], [[128, 63], "bf16", "1"],
  [[0, 60, 0, 192], "f16x2", "1 -2"], [[1, 0, 0, 0, 0, 0, 0, 128], "u64", "9223372036854775809"], [[10, 1], "b16", "0x10a"], [[1], "bool", "1"],
  [[0, 0, 0, 0, 0, 0, 248, 63], "f64", "1.5"]]) check(element(bytes, type) === text, `${type}: ${element(bytes, type)}, not ${text}`);

// ---- values between lanes ----

const EXCHANGES = [...kernels.filter((name) => /^(reorder|fft)\//.test(name)).map((name) => [name, name.startsWith("fft") ? "v100" : "teach32"]),
  ["classic/bitonic_warp", "teach32"], ["isa/warp", "teach8"], ["isa/reductions", "teach8"]];
const met = new Map();

function exchanged({ result, code }, name, event, index) {
  const { block, warp, pc, exec } = event, { disassembly: text } = code[pc];
  const before = engine.state(block, warp, index), after = engine.state(block, warp, index + 1);
  const found = exchangeOf({ text, before, after, exec, width: before.width });
  if (!found) return;
  const { from, groups, rows: [given], shown: { values } } = found;
  met.set(found.name.split(".")[0], (met.get(found.name.split(".")[0]) ?? 0) + 1);
  for (const [lane, source] of from ?? [])
    check(values[lane] === found.rows[source.row].values[source.lane], `${name}, ${text}: lane ${lane} has not what lane ${source.lane} had`);
  for (const { lanes, value } of groups ?? []) {
    check(lanes.every((lane) => values[lane] === value), `${name}, ${text}: lanes of a group have other results`);
    if (found.name.startsWith("match.any")) check(lanes.every((lane) => given.values[lane] === given.values[lanes[0]]) &&
      BigInt(value) === lanes.reduce((sum, lane) => sum | 1n << BigInt(lane), 0n), `${name}, ${text}: ${lanes} are no group`);
    if (found.name.startsWith("redux.add")) check(lanes.reduce((sum, lane) => sum + given.values[lane] >>> 0, 0) === value, `${name}, ${text}`);
  }
}

for (const [name, board] of EXCHANGES) {
  const ran = run(name, board, 0), seen = new Map(), count = met.size && [...met.values()].reduce((a, b) => a + b);
  ran.events.forEach((event, index) => {
    if (event.kind !== "issue" || (seen.get(event.pc) ?? 0) >= 4 || BigInt(event.exec) === 0n) return;
    seen.set(event.pc, (seen.get(event.pc) ?? 0) + 1);
    exchanged(ran, name, event, index);
  });
  const none = !ran.code.some(({ disassembly }) => isExchange(disassembly));
  check(none || [...met.values()].reduce((a, b) => a + b, 0) > count, `${name}: no values between lanes`);
}
for (const one of ["shfl", "xext", "xpush", "vote", "ballot", "match", "redux"]) check(met.get(one) > 0, `no ${one} was compared`);

// ---- registers in one cell ----

const show = String, list = (f, n = 32) => Array.from({ length: n }, (_, lane) => BigInt(f(lane)));
const arrays = [{ name: "y", address: 0x1000, size: 4, count: 64, shared: false }];
for (const [values, bits, text] of [[list(() => 40), 32, "40 in all"], [list((l) => l), 32, "lane"], [list((l) => 96 + 4 * l), 32, "96 + 4 * lane"],
  [list((l) => 31 - l), 32, "31 - lane"], [list((l) => l * l), 32, null], [list((l) => 0x1000 + 4 * l), 64, "y[lane]"],
  [list((l) => 0x1008 + 8 * l), 64, "y[2 + 2 * lane]"], [list(() => 0x1004), 64, "y[1] in all"], [list((l) => 7 + l), 64, "7 + lane"],
  [list((l) => (l * 2654435761) % 2 ** 32), 32, null], [list((l) => (2 ** 32 - 2 + l) % 2 ** 32, 4), 32, "4294967294 + lane"]])
  check(fold({ values, bits, show, arrays }) === text, `${fold({ values, bits, show, arrays })}, not ${text}`);
check(fold({ values: list((l) => l), bits: 32, show, whole: false }) === null, "floats grow with the lane");
check(elementOf(arrays, 0x1006n) === "y[1] + 2" && elementOf(arrays, 0x1100n) === null, "addresses as elements");

ended();
