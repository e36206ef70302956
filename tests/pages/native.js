// Does WebAssembly give what the native build gives? Every run of every kernel that ships, at every width: the same bytes,
// cycles, counts of classes and metrics, or the same fault. Boards are read as `heddle board` prints them.
//
//   node tests/pages/native.js [FILE or FOLDER ...]
import { spawn, execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { command, module } from "./lib/built.js";
import { check, ended } from "./lib/count.js";
import { open, Refused } from "../../scripts/web/heddle.js";

const paths = process.argv.slice(2);
// Files that kernels include.
const included = readdirSync("kernels", { recursive: true }).filter((f) => /(^|\/)lib\/.*\.hd$/.test(f));
const files = included.map((file) => [`kernels/${file}`, readFileSync(`kernels/${file}`, "utf8")]);
const heddle = await open(module(), Object.fromEntries(files));

const boards = new Map();
function board(name) {
  if (!boards.has(name)) boards.set(name, execFileSync(command, ["board", name], { encoding: "utf8" }));
  return boards.get(name);
}

const hex = (bytes) => Buffer.from(bytes).toString("hex");

let loaded; // the file of the program, which stays when the context is another
function launch(run) {
  heddle.reset();
  heddle.board(run.board, board(run.board));
  if (loaded !== run.file) heddle.load(run.file, readFileSync(run.file, "utf8"));
  loaded = run.file;
  for (const { name, type, count, start } of run.buffers) heddle.buffer(name, type, [count]).set(Buffer.from(start, "hex"));
  for (const [name, text] of Object.entries(run.args)) heddle.scalar(name, text);
  try {
    return { ok: true, result: heddle.launch(run) };
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    return { ok: false, result: e.answer };
  }
}

function compare(run) {
  const where = `${run.file}:${run.line}: warp ${run.warp}`, want = run.want, { ok, result } = launch(run);
  check(ok === want.ok, `${where}: ${ok ? "there is no fault" : result.error}`);
  for (const { name, start } of run.buffers)
    check(hex(heddle.data(name)) === (want.bytes[name] ?? start), `${where}: ${name} differs`);
  if (!ok || !want.ok) {
    check(result.fault?.kind === want.kind && result.fault?.line === want.line, `${where}: another fault: ${result.error}`);
    return;
  }
  for (const key of ["cycles", "warp_instructions", "thread_instructions"])
    check(result[key] === want[key], `${where}: ${key}: ${result[key]} and ${want[key]}`);
  const classes = (list) => JSON.stringify(Object.entries(list).filter(([, n]) => n).sort());
  check(classes(result.classes) === classes(want.classes), `${where}: classes differ`);
  check(result.inconsistency === undefined, `${where}: ${result.inconsistency}`);
  const wrong = Object.entries(result.metrics).filter(([name, value]) => (want.metrics[name] ?? null) !== value);
  check(wrong.length === 0, `${where}: metrics differ: ${wrong.map(([name, value]) => `${name} ${value} ${want.metrics[name]}`).join(", ")}`);
}

const cases = spawn(command, ["lua", "tests/pages/lib/cases.lua", ...paths], { stdio: ["ignore", "pipe", "inherit"] });
const closed = new Promise((resolve) => cases.on("close", resolve));
for await (const line of createInterface({ input: cases.stdout })) {
  const run = JSON.parse(line);
  try {
    compare(run);
  } catch (e) {
    check(false, `${run.file}:${run.line}: warp ${run.warp}: ${e.message}`);
  }
}
const status = await closed;
check(status === 0, `cases.lua: exit status ${status}`);
ended();
