// Does the page's engine answer as the native build? Cases of kernels, grades of lessons, proofs, and what is refused.
//
//   node tests/pages/engine.js
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { command, module } from "./lib/built.js";
import { check, ended, refused } from "./lib/count.js";
import { Engine } from "../../scripts/web/page/engine.js";
import { reported } from "../../scripts/web/page/words.js";
import { report } from "../../scripts/web/page/words/zh.js";
import { pack } from "../../scripts/web/pack.js";

const files = pack(command);
const engine = await Engine.make(module(), files);
const { lessons, kernels, boards } = engine.open();

// Returns the output of `heddle lesson NUMBER --check mine.hd`, in an otherwise empty folder.
const folder = mkdtempSync(`${tmpdir()}/heddle-`);
process.on("exit", () => rmSync(folder, { recursive: true }));
function native(number, source) {
  writeFileSync(`${folder}/mine.hd`, source);
  const how = { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const args = ["lesson", String(number), "--check", "mine.hd", "--json", "-"];
  let text;
  try {
    text = execFileSync(resolve(command), args, how);
  } catch (e) {
    text = e.stdout; // exit status 1: it has not passed
  }
  const { student, lesson, points, ...grade } = JSON.parse(text.slice(text.indexOf("{"))).results[0]; // of a class
  check(student === "mine" && lesson === number && (points === 100) === (grade.status === "passed"), `${student}, ${points} points`);
  return grade;
}

// ---- cases: what each shipped kernel expects, in the case's own words ----

check(kernels.includes("classic/saxpy") && boards.includes("v100"), "saxpy or v100 is missing");
const RACY = "lessons/05-shared/starter"; // is right only where warps take turns as they do without a clock
for (const name of kernels.filter((n) => /^(classic|reorder|lessons|defects)\//.test(n) && n !== RACY)) {
  const { name: path, text } = engine.kernel(name), { error, cases } = engine.look(path, text);
  check(error === null && cases.length > 0, `${name}: ${error ?? "no case"}`);
  for (const { number, widths, board } of cases) {
    const warp = widths.at(-1), how = { name: path, source: text, case: number, warp, board: engine.board(board ?? "v100") };
    const { expectations: e, status, limiter, hint } = engine.run(how), words = [limiter, hint].map((text) => text && reported(text, report)).join(" ");
    check(e.met === e.total && status <= 1, `${name}, case ${number}: ${e.text}`);
    check(!/[a-z]{2}/.test(words.replace(/fp\d\d|[\w/]+\.hd/g, "")), `${name}, case ${number}, not translated: ${words}`);
  }
}

// ---- lessons: the grades of `heddle lesson --check`, of starters, references and wrong solutions ----

check(lessons.length === readdirSync("kernels/lessons").length, `${lessons.length} lessons`);
for (const { number, name, starter, hints } of lessons) {
  check(hints.length === 3, `${name}: ${hints.length} hints`);
  const two = `for i = 1, 2 do io.write(require "heddle.lessons.solutions".of {name = "${name}"}[i].text, "\\0") end`;
  const others = execFileSync(command, ["lua", "-e", two], { encoding: "utf8" }).split("\0").slice(0, 2);
  const tried = [starter, files[`kernels/lessons/${name}/reference.hd`], ...others];
  for (const source of tried) {
    const here = engine.grade(number, source), there = native(number, source);
    check(JSON.stringify(here) === JSON.stringify(there), `${name}: ${JSON.stringify(here)}, native ${JSON.stringify(there)}`);
  }
}
for (const { number, name } of lessons) for (const way of ["", "../", "/"]) {
  const { status } = engine.grade(number, `.include "${way}kernels/lessons/${name}/reference.hd"\n`);
  check(status === "broken", `${name}: a kernel that includes the reference is ${status}`);
}
engine.put({ "lib/whole.hd": files["kernels/lessons/01-guards/reference.hd"] });
check(engine.grade(1, '.include "lib/whole.hd"\n').status === "passed", "a kernel that includes a file beside it does not pass");
engine.put({});
for (const seed of ["ada", "bob"]) {
  const words = (...args) => execFileSync(resolve(command), ["lesson", "1", "--seed", seed, ...args], { cwd: folder, encoding: "utf8" });
  words("--start", `${seed}.hd`);
  const mine = engine.variant(1, seed), own = mine.words.match(/n = (\d+)/)[1] - 224; // lanes of the last warp
  check(mine.starter === readFileSync(`${folder}/${seed}.hd`, "utf8"), `the kernel to begin with of ${seed} is another one`);
  check(words().replace(/\s+/g, " ").includes(mine.words), mine.words);
  check(engine.predict(1, `${own}`, seed).right && !engine.predict(1, `${own + 1}`, seed).right, `the prediction of ${seed} is not ${own}`);
}
check(engine.predict(1, "26").right && !engine.predict(1, "27").right, "the prediction of lesson 1 is not 26");

// ---- proofs ----

const given = (name) => ({ name: `kernels/${name}.hd`, source: files[`kernels/${name}.hd`] });
const equal = engine.prove(given("reorder/transit1"), given("reorder/shuffle2"), { warp: 32 });
check(equal.verdict === "equal" && equal.text.includes("equal for all inputs"), `transit1 and shuffle2: ${equal.text}`);
const other = given("reorder/shuffle2");
other.source = other.source.replace("xor.b32         i1, i0, 1", "mov.b32         i1, i0");
other.name = "kernels/reorder/mine.hd";
check(engine.prove(given("reorder/transit1"), other, { warp: 32 }).verdict === "different", "a changed shuffle is equal");

// ---- what is looked at: the answers of `heddle debug` to the same commands ----

const LOOKS = ["where", "registers", "masks", "why", "scoreboard", "warps", "access", "shared", "timeline 60"];
const WAYS = ["step 20", "warp 0.1", "until end", "reverse step 7", "cycle 100"];
const COMMANDS = [...LOOKS, ...WAYS.flatMap((way) => [way, ...LOOKS])];

function nativeLooks(kernel, board, warp) {
  writeFileSync(`${folder}/commands`, COMMANDS.join("\n"));
  const args = ["debug", kernel, "--board", board, "--warp", String(warp), "--commands", `${folder}/commands`];
  const parts = execFileSync(command, args, { encoding: "utf8" }).split("(debug) ").slice(1);
  return parts.map((part) => part.slice(part.indexOf("\n") + 1));
}

for (const [name, board, warp] of [["classic/divergence", "teach32", 32], ["classic/transpose_tiled", "teach32", 32],
  ["classic/histogram", "v100", 32], ["classic/saxpy", "teach8", 8], ["reorder/transit1", "br100", 64], ["isa/control", "v100", 16]]) {
  const { name: path, text } = engine.kernel(name), wanted = nativeLooks(path, board, warp);
  engine.run({ name: path, source: text, warp, board: engine.board(board), watch: 64 << 20 });
  COMMANDS.forEach((line, i) => {
    const { text: found } = engine.heddle.debug(line);
    check(found === wanted[i], `${name}, warp ${warp}, '${line}' (${i}):\n${found}native:\n${wanted[i]}`);
  });
}

// ---- what is refused, and how often ----

const saxpy = given("classic/saxpy").source;
const look = (source) => engine.look("k.hd", source).error ?? "";
check(look(saxpy.replace("fma.f32", "fmb.f32")).startsWith("k.hd:38:"), "a wrong instruction has no place");
check(look(saxpy.replace(";! expect", ";! expet")).includes("unknown word 'expet'"), "a wrong word after ;! is taken");
check(look("\0") !== "", "a NUL is taken");
const teach8 = engine.board("teach8");
const run = (source, more = {}) => engine.run({ name: "k.hd", source, board: teach8, ...more });
await refused("a kernel without a case", () => run(saxpy.replaceAll(";!", "; ")), "no line ';! run'");
await refused("a case that is not there", () => run(saxpy, { case: 9 }), "no case '9'");
await refused("a wrong argument", () => run(saxpy.replace("a=", "a=1/0 b=")), "'b'");
await refused("an endless expression", () => run(saxpy.replace(/;! in( +)x.*/, ";! in x : f32[(function() while true do end end)()]")),
  "endless loop");
await refused("a board that is edited wrongly", () => engine.board("teach8", "sms: none\n"), "teach8:1:6: error");
await refused("a kernel that no-one ships", () => engine.kernel("classic/nothing"), "no kernel");
for (const path of ["", "/k.hd", "a//k.hd", "../k.hd", "kernels", "configs/teach8.yaml", "configs/teach8.yaml/k.hd",
  "scripts/lib/heddle/page/answers.lua", "kernels/lessons/01-guards/reference.hd"])
  await refused(`a file called '${path}'`, () => engine.put({ [path]: "" }), "is no place for a file");
const path = Object.keys(files).find((name) => /^kernels\/.*lib\/.*\.hd$/.test(name)), mine = "lib/mine.hd";
const including = (name) => look(`.include "${name}"\n.kernel k\nexit\n`);
engine.put({ [path]: ".fresh 1\n", [mine]: "; fine\n" });
check(including(path).includes("fresh") && including(mine) === "", `files beside a kernel: ${including(path)} ${including(mine)}`);
engine.put({});
check(including(path) === "", `a file that ships is not what it was: ${including(path)}`);
const endless = run(saxpy.replace("fma.f32", "again: bra again\n fma.f32"), { limit: 10000 });
check(endless.fault?.kind === "instruction_limit", "an endless kernel ends");
const fault = run(saxpy.replace("setp.ge.u32", "setp.gt.u32"), { watch: 1 << 20 });
check(fault.fault?.kind === "out_of_bounds" && fault.error.startsWith("k.hd:") && fault.events > 0, `a fault: ${fault.error}`);

ended();
