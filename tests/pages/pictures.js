// The pictures and the lessons of the page without a browser: what they make of kernels that ship.
//
//   node tests/pages/pictures.js
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { command, module } from "./lib/built.js";
import { check, ended } from "./lib/count.js";
import { Engine } from "../../scripts/web/page/engine.js";
import { answer, gateRow, verdict } from "../../scripts/web/page/lessons.js";
import { Progress } from "../../scripts/web/page/progress.js";
import { foreign, groupsOf, search } from "../../scripts/web/page/language.js";
import { compared, paired } from "../../scripts/web/page/kept.js";
import { first, signOf } from "../../scripts/web/page/prove.js";
import { readRecord } from "../../scripts/web/page/record.js";
import { accessOf, banksPicture, sectorsPicture } from "../../scripts/web/page/pictures/access.js";
import { passes } from "../../scripts/web/page/pictures/banks.js";
import { change, costs, groups, heat, shown } from "../../scripts/web/page/pictures/counters.js";
import { bars, roofline, show } from "../../scripts/web/page/pictures/figures.js";
import { letter, picture, place, spansOf, warpsOf, windowOf, ISSUE } from "../../scripts/web/page/pictures/timeline.js";
import { barsPicture, stages, steps } from "../../scripts/web/page/pictures/way.js";
import { pack } from "../../scripts/web/pack.js";
import { reference } from "../../scripts/web/reference.js";

const engine = await Engine.make(module(), pack(command));
const { words, lessons, kernels } = engine.open(), stallNames = words.stalls.map(({ name }) => name);
// The engine as the page has it, each method a promise.
const client = new Proxy(engine, { get: (of, name) => async (...given) => of[name](...given) });

// A run as `app.state` has it.
async function run(name, boardName, warp = 0) {
  const { name: path, text } = engine.kernel(name), board = engine.board(boardName);
  const result = engine.run({ name: path, source: text, board, warp, watch: 64 << 20 });
  const record = await readRecord(client, result.events, words);
  return { name, board, result: { ...result, source: text }, record };
}

const value = ({ board }, key) => board.values.find((one) => one.key === key).value;
const kindOf = (name) => words.kinds.findIndex((kind) => kind.name === name);
const accessAt = (record, i) => accessOf({ event: engine.events(i, 1)[0], lines: record.lines(i).map((k) => engine.events(k, 1)[0]) });

// No shape leaves its picture, and none has a size that is no number.
function inside({ width, height, shapes }, what) {
  const wrong = shapes.find((one) => one.x !== undefined && !(one.x >= -1 && one.x + (one.width ?? 0) <= width + 1 && one.y >= 0 && one.y <= height));
  check(shapes.length > 0 && !wrong, `${what}: outside the picture: ${JSON.stringify(wrong)}`);
  const finite = (one) => Object.values(one).every((v) => typeof v !== "number" || Number.isFinite(v)) && !one.d?.includes("NaN");
  check(shapes.every(finite), `${what}: no number`);
}

// ---- passes: each shared access of these kernels takes as long as in the recording ----

const SHARED = [["classic/transpose_tiled", "teach32"], ["classic/transpose_padded", "teach32"], ["classic/reduce2", "teach32"],
  ["classic/matmul_tiled", "v100"], ["reorder/shared_vector_block", "v100"],
  ["fft/rfft_block", "teach32"], ["isa/memory", "v100"], ["bench/matmul", "v100"]];
for (const [name, boardName] of SHARED) {
  const all = await run(name, boardName), { record, result } = all, cycle = value(all, "shared.pass_cycles");
  const banks = { count: value(all, "shared.banks"), bytes: value(all, "shared.bank_bytes") };
  let seen = 0;
  for (let i = 0; i < record.count && seen < 2000; i++) {
    if (record.kind[i] !== kindOf("access")) continue;
    const access = accessOf({ event: engine.events(i, 1)[0], lines: [] });
    if (access.space !== "shared" || access.operation === "atomic") continue;
    const { taken, rows } = passes(access, banks, result.warp);
    check(taken * cycle === access.cycles, `${name}, event ${i}: ${taken} passes, and ${access.cycles} cycles of the pipe`);
    check(rows.length === access.lanes.length && rows.every(({ pass, bank, wide }) => pass < taken && bank + wide <= banks.count &&
      wide === Math.max(1, access.bytes / banks.bytes)),
      `${name}, event ${i}: a lane has no pass or no bank`);
    const served = new Map(rows.map(({ pass, bank, word }) => [`${pass} ${bank}`, word]));
    check(rows.every(({ pass, bank, word }) => served.get(`${pass} ${bank}`) === word), `${name}, event ${i}: a bank serves two words in a pass`);
    if (seen++ === 0) inside(banksPicture(access, banks, result.warp, 320), `${name}, banks`);
  }
  check(seen > 0, `${name}: no access of shared memory`);
}

// ---- accesses of global memory, and their way ----

const STORED = "sent";
for (const [name, boardName, warp] of [["classic/saxpy", "teach8"], ["classic/transpose_naive", "teach32"], ["classic/stencil2d", "teach32"]]) {
  const { result, record } = await run(name, boardName, warp), metric = (key) => result.metrics[key];
  let sectors = 0, hits = 0, drawn = 0;
  for (let i = 0; i < record.count; i++) {
    if (record.kind[i] !== kindOf("access")) continue;
    const access = accessAt(record, i);
    if (access.space !== "global") continue;
    sectors += access.lines.reduce((sum, line) => sum + line.sectors.length, 0);
    hits += access.lines.reduce((sum, line) => sum + line.hits.length, 0);
    if (drawn++ < 200) {
      const shapes = sectorsPicture(access, result.warp, 320);
      inside(shapes, `${name}, event ${i}`);
      const said = shapes.shapes.filter(({ class: kind, words: sign }) => kind === "middle small" && sign);
      check(said.filter(({ words: sign }) => sign === "hit").length === access.lines.reduce((sum, line) => sum + line.hits.length, 0),
        `${name}, event ${i}: hits are not those of the access`);
      check(said.length === access.lines.reduce((sum, line) => sum + line.sectors.length, 0), `${name}, event ${i}: a sector has no sign`);
      check(access.operation !== "store" || said.every(({ words: sign }) => sign === STORED), `${name}, event ${i}: a store is no store`);
    }
  }
  check(sectors === metric("l1.sectors"), `${name}: pictures have ${sectors} sectors, and the counters ${metric("l1.sectors")}`);
  check(hits === metric("l1.hits"), `${name}: pictures have ${hits} hits, and the counters ${metric("l1.hits")}`);
}

for (const [name, boardName] of [["classic/saxpy", "teach8"], ["classic/transpose_naive", "teach32"]]) {
  const { record } = await run(name, boardName);
  let seen = 0;
  for (let i = 0; i < record.count && seen < 40; i++) {
    if (record.kind[i] !== kindOf("access")) continue;
    const given = { event: engine.events(i, 1)[0], lines: record.lines(i).map((k) => engine.events(k, 1)[0]) };
    const access = accessOf(given);
    if (access.space !== "global" || access.lines.every(({ request }) => request === null)) continue;
    const rows = await steps(client, record, given, access);
    for (const line of rows.filter(({ request }) => request !== null)) {
      const spent = stages(line), gap = spent.find((span, k) => k && span.from !== spent[k - 1].until);
      check(line.reply.length === 1 && line.l2.length >= 1, `${name}, event ${i}: a request has no reply or no look-up in L2`);
      check(spent.some(({ until }) => until === line.l2[0].cycle), `${name}, event ${i}: nothing ends with the look-up in L2`);
      check(spent.length > 1 && spent[0].from === line.cycle && spent.at(-1).until === line.reply[0].cycle && !gap,
        `${name}, event ${i}: the way has gaps: ${JSON.stringify(spent)}`);
    }
    const all = rows.map((line) => ({ ...line, spans: stages(line) }));
    inside(barsPicture(all, access.cycle, Math.max(...all.flatMap((l) => l.spans.map(({ until }) => until))), 320), `${name}, way of event ${i}`);
    seen++;
  }
  check(seen > 0, `${name}: no request`);
}

// ---- the timeline: letter by letter that of the debugger ----

const WIDE = 40;
for (const [name, boardName, cycles] of [["classic/saxpy", "teach8", [20, 255, 1100]], ["classic/reduce3", "teach32", [30, 300]]]) {
  const { record, result } = await run(name, boardName);
  for (const cycle of cycles) {
    const index = record.cycle.findIndex((c) => c >= cycle), at = { block: record.block[index], warp: 0, event: index };
    if (!record.of(at.block, 0)) continue;
    const { text } = engine.heddle.debug(`timeline ${WIDE}`, at), from = Math.max(0, record.cycle[index] - WIDE / 2);
    const theirs = text.split("\n").filter((line) => line.includes("|")).map((line) => line.split("|")[1]);
    const rows = warpsOf(record, at, false, from, from + WIDE);
    const mine = rows.map((row) => {
      const signs = Array(WIDE).fill(" ");
      for (const span of spansOf(record, row, from, from + WIDE)) signs.fill(letter(span.state), span.from - from, span.until - from);
      return signs.join("");
    });
    check(theirs.length > 0 && mine.join("\n") === theirs.join("\n"), `${name}, cycle ${cycle}:\n${mine.join("\n")}\nand not\n${theirs.join("\n")}`);
    const shown = { from, until: from + WIDE, cycle: record.cycle[index], own: `${at.block}.0`, rows: rows.map((row) =>
      ({ key: `${row.block}.${row.warp}`, spans: spansOf(record, row, from, from + WIDE) })) };
    inside(picture(shown, 320), `${name}, timeline`);
    const there = place(shown, 320 - 5, 18 + 1, 320);
    check(there.row === 0 && there.cycle === from + WIDE - 1, `${name}: a click goes to ${JSON.stringify(there)}`);
  }
  const sm = warpsOf(record, { block: 0, warp: 0 }, true, 0, result.cycles);
  check(sm.length > 0 && sm.every((row) => row.sm === record.of(0, 0).sm), `${name}: warps of another SM`);
}
check(letter(ISSUE) === "#" && letter(stallNames.indexOf("long_scoreboard")) === "e", "letters of docs/debug.md");
for (const cycle of [0, 10, 99, 100, 450, 990]) {
  const { from, until } = windowOf(cycle, 100, 1000);
  check(from >= 0 && from <= cycle && cycle < until && until - from === 100, `cycle ${cycle} is not in ${from} to ${until}`);
}
check(windowOf(500, 100, 1000).from === windowOf(501, 100, 1000).from, "the timeline moves with each cycle");

// ---- counters and lines ----

const tiled = await run("classic/transpose_tiled", "teach32"), docs = new Map(words.metrics.map((row) => [row.name, row]));
const metric = (key) => tiled.result.metrics[key];
const every = groups(tiled.result.metrics, docs, "");
check(every.flatMap(({ rows }) => rows).length === Object.keys(tiled.result.metrics).length && every.every(({ rows }) => rows.every(({ doc }) => doc)),
  "a counter has no group or no meaning");
check(groups(tiled.result.metrics, docs, "CONFLICT shared").flatMap(({ rows }) => rows).some(({ name }) => name === "shared.conflict_share"),
  "a filter of two words finds nothing");
check(groups(tiled.result.metrics, docs, "nothing of this").length === 0, "a filter finds what is not there");
check(shown(null) === "-" && shown(6864) === "6,864" && shown(91.34615) === "91.3462", "values of counters");
const lines = heat(tiled.result, words.stalls), sum = (key) => lines.reduce((all, row) => all + row[key], 0);
check(sum("issued") === tiled.result.warp_instructions && Math.abs(sum("share") - 1) < 1e-9, "lines do not add up to the launch");
check(lines.reduce((all, row) => all + row.lanes * row.issued, 0) === tiled.result.thread_instructions, "lanes of lines are not those of the launch");
check(sum("cycles") === metric("sm.warp_cycles"), "cycles of lines are not those of warps");
const text = tiled.result.source.split("\n");
check(change(5, 3) === "+2" && change(3, 5.5) === "\u22122.5" && change(3, 3) === "" && change(null, 3) === "" && change(3, undefined) === "",
  "changes of counters");
check(lines.every(({ line }) => !text[line - 1].trim().startsWith(";")), "a comment costs something");

// ---- the language ----

const pages = reference(), groups4 = groupsOf(words, pages), hits = (query) => search(groups4, query).flatMap(({ rows }) => rows);
check(groups4.every(({ rows }) => rows.length > 5 && rows.every((row) => row.words.length && row.name && row.doc)), "each row has words and a meaning");
check(hits("SHFL lane")[0].words[0].startsWith("shfl") && hits("shfl").every((row) => JSON.stringify(row).toLowerCase().includes("shfl")),
  "rows of a query have its words, and its own rows come first");
check(hits("").length === groups4.reduce((all, { rows }) => all + rows.length, 0) && hits("no such word").length === 0, "all rows, and none");
check(foreign(pages, "float4 v = __shfl_down_sync(~0, x, 1); // blockDim").map(([word]) => word).join() === "float4,__shfl_down_sync",
  "words of CUDA before a semicolon");
check(foreign(pages, "add.f32 r1, r2, r3").every(([word]) => !word.startsWith("r")) && foreign(pages, "").length === 0, "registers are none");
const shownBy = words.instructions.map(({ name }) => [name, engine.example(name)]).filter(([, found]) => found);
check(shownBy.length > 100 && shownBy.every(([name, { kernel, line, text }]) =>
  text.replace(/^@\S+ /, "").split(" ")[0] === name && engine.kernel(kernel).text.split("\n")[line - 1].includes(name)),
`examples are lines of kernels that ship: ${shownBy.length} of ${words.instructions.length}`);
check(engine.example("nothing") === null, "no example of what there is not");

// ---- two runs ----

const naive = await run("classic/transpose_naive", "teach32"), both = [tiled, naive].map(({ result }) => costs(result, words.stalls));
const pairs = paired(...both), sides = [0, 1].map((k) => pairs.flatMap((pair) => pair[k] ? [pair[k].line] : []));
check(sides.every((side, k) => side.join() === both[k].map(({ line }) => line).join()), "each line stands once, in its order");
const alike = pairs.filter(([a, b]) => a && b);
check(alike.length > 5 && alike.every(([a, b]) => a.text === b.text), "pairs have one text");
check(paired(both[0], both[0]).every(([a, b]) => a === b) && paired(both[0], []).every(([a, b]) => a && b === null), "one kernel, and none before");
const baseline = { result: naive.result };
check(compared(naive.result, baseline).includes("as many as the kept run") &&
  compared({ cycles: 2 * naive.result.cycles }, baseline).includes("2.00 times as slow") &&
  compared({ cycles: naive.result.cycles / 2 }, baseline).includes("2.00 times as fast"), "words for two runs");

// ---- the report: word for word that of the native command ----

const page = execFileSync(command, ["run", "classic/transpose_tiled", "--board", "teach32", "--quiet", "--html", "-"],
  { encoding: "utf8", maxBuffer: 1 << 24 });
const parts = engine.report(tiled.result), figures = [];
for (const html of [parts.memory, ...parts.speed.split(/(?<=<\/section>)/)]) {
  check(html.startsWith("<section") && page.includes(html), `not on the page of the native command: ${html.slice(0, 200)}`);
  figures.push(...[...html.matchAll(/<script type="application\/json">([^]*?)<\/script>/g)].map(([, data]) => JSON.parse(data)));
}
const KINDS = { bars, roofline };
check(figures.map(({ kind }) => kind).sort().join() === "bars,bars,bars,roofline", `charts: ${figures.map(({ kind }) => kind)}`);
for (const data of figures) for (const room of [240, 760]) inside(KINDS[data.kind](data, room), `${data.kind}, ${room} pixels`);
const stacked = bars(figures.find(({ stacked: one }) => one), 400).shapes.filter(({ name }) => name === "rect");
check(stacked.length > 3 && stacked.every((one, k) => !k || stacked[k - 1].y !== one.y || stacked[k - 1].x + stacked[k - 1].width <= one.x),
  "parts of a bar lie on each other");
check(show(34560, "B") === "34.6 kB" && show(0.5, "%") === "0.5 %" && show(1234, "") === "1,230" && show(0, "B") === "0 B", "numbers of charts");

// ---- lessons: gates in words, what is kept, what a proof is against ----

for (const { number, name, starter } of lessons.slice(0, 3)) { // engine.js grades all
  const failed = engine.grade(number, starter), row = failed.gates.map(gateRow).at(-1);
  check(verdict(number, failed) === `Lesson ${number}: not passed, at '${failed.gate}'.` && row.sign === "✗" && row.name === failed.gate,
    `${name}: ${JSON.stringify(failed)}`);
  const reference = engine.kernel(`lessons/${name}/reference`).text, done = engine.grade(number, reference);
  check(verdict(number, done) === `Lesson ${number}: passed.` && done.gates.map(gateRow).every(({ class: kind }) => kind !== "bad"),
    `${name}, its reference: ${JSON.stringify(done)}`);
  check(first({ lesson: number, name: "mine.hd" }, lessons, kernels) === `lessons/${name}/reference`, `${name}: is proved against another`);
}
check(verdict(1, engine.grade(1, "nothing")) === "Lesson 1: the kernel cannot be read.", "a text that is no kernel");
check(gateRow({ name: "proof", status: "unproved", text: "why" }).sign === "–", "a gate of another status passes or fails");
const predicted = (text, tries) => answer(text, engine.predict(1, text), tries);
check(predicted("26", 1) === "26 is right." && !predicted("32", 1).includes("26") && predicted("32", 2).includes("it is 26"), "predictions");
check(first({ lesson: null, name: "kernels/classic/saxpy.hd" }, lessons, kernels) === "classic/saxpy" &&
  first({ lesson: null, name: "mine.hd" }, lessons, kernels) === "", "what a proof is against");
check(signOf("equal")[0] === "✓" && signOf("different")[0] === "✗" && signOf("undecided")[0] === "–", "signs of verdicts");

const kept = new Map(), storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
const begun = new Progress(() => storage);
begun.keep("01-guards", { passed: true });
begun.keep("01-guards", { text: "exit" });
begun.keep("02-blocks", { text: "x".repeat(1 << 19) });
const later = new Progress(() => storage);
check(later.of("01-guards").passed && later.of("01-guards").text === "exit" && !later.of("02-blocks").text && !later.of("constructor").name,
  "what was done is not kept");
for (const text of ["[1]", "3", "{", '{"01-guards": 3}']) {
  kept.set("heddle.lessons", text);
  check(new Progress(() => storage).of("01-guards").passed === undefined, `what is kept is ${text}`);
}
const none = new Progress(() => { throw new Error("no storage"); });
none.keep("01-guards", { passed: true });
check(none.of("01-guards").passed, "without storage nothing is known");

ended();
