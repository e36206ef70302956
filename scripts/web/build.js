// Writes the page: one file that needs no network. Its scripts, the WebAssembly module and the files of the tree are
// one gzip stream in it, as text (seven.js); a few lines in page/index.html unpack them.
//
//   node build.js HEDDLE heddle.wasm PAGE.html
//
// HEDDLE is the native command, which prints the boards.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync, constants } from "node:zlib";
import { lesson } from "./lesson.js";
import { licences } from "./licences.js";
import { pack } from "./pack.js";
import { reference } from "./reference.js";
import { spelled } from "./seven.js";

const LIMIT = 1_500_000; // bytes of the page
// Shipped kernels that fit; those of isa are tests of single instructions.
const KERNELS = ["bench", "classic", "fft", "gemm", "lessons", "lib", "mask", "reorder", "spconv"];
const here = fileURLToPath(new URL(".", import.meta.url));
const [heddle, wasm, out] = process.argv.slice(2);

const bundle = async (entry, options) => {
  const result = await build({ entryPoints: [here + entry], bundle: true, minify: true, target: "es2022", charset: "utf8",
    legalComments: "none", metafile: true, write: false, logLevel: "warning", ...options });
  return { text: result.outputFiles[0].text, inputs: Object.values(result.metafile.outputs)[0].inputs };
};

const halves = (text) => text.split(/^## (?:Hints|提示)\n/m);

// A lesson in another language: its title and its first sentence as well, which Lua takes from the English page.
function translated(text) {
  const [, title, about] = text.match(/^# (.*)\n\n([^]*?)\n\n/);
  return { title, about: about.replace(/`|\*\*/g, ""), ...lesson(...halves(text)) };
}

function shipped() {
  const files = pack(heddle), chosen = {}, lessons = {};
  for (const [path, text] of Object.entries(files)) {
    const folder = path.match(/^kernels\/([^/]+)\//)?.[1];
    if (!folder || KERNELS.includes(folder)) chosen[path] = text;
    const name = path.match(/^docs\/lessons\/(\d.*)\.md$/)?.[1];
    if (name) lessons[name] = { ...lesson(...halves(text)), zh: translated(readFileSync(`docs/lessons/zh/${name}.md`, "utf8")) };
  }
  return { files: chosen, lessons };
}

// Makes {scripts, files, ...} and the module after it, preceded by a word with the first one's length.
function container(given, module) {
  const head = Buffer.from(JSON.stringify(given)), length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return gzipSync(Buffer.concat([length, head, module]), { level: constants.Z_BEST_COMPRESSION, memLevel: 9 });
}

// Nothing runs in the page but these: no handler, address or script that a text might bring.
const allowed = (scripts) => scripts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(" ");

const worker = await bundle("page/worker.js", { format: "iife" });
const main = await bundle("page/main.js", { format: "iife", globalName: "heddlePage" });
const style = (await bundle("page/page.css", {})).text.trim();
const boot = (await bundle("page/boot.js", { format: "iife" })).text.trim();
const inside = licences({ ...main.inputs, ...worker.inputs }).join("\n");
const given = { main: main.text, worker: worker.text, licences: inside, reference: reference(), ...shipped() };
const packed = spelled(container(given, readFileSync(wasm)));
const page = readFileSync(`${here}page/index.html`, "utf8")
  .replace("/* style */", () => style).replace("/* boot */", () => boot).replace("SCRIPTS", () => allowed([boot, main.text])).replace("PACKED", () => packed);
writeFileSync(out, page);
const bytes = Buffer.byteLength(page), kilo = (text) => `${Math.round(gzipSync(text).length / 1000)} kB`;
const parts = { module: readFileSync(wasm), script: main.text, files: JSON.stringify(given.files), lessons: JSON.stringify(given.lessons) };
console.log(`${out}: ${bytes} bytes; zipped: ${Object.entries(parts).map(([name, text]) => `${name} ${kilo(text)}`).join(", ")}`);
if (bytes > LIMIT) {
  console.error(`build.js: the page has ${bytes} bytes, and ${LIMIT} are the most: leave out a folder of KERNELS, or code`);
  process.exitCode = 1;
}
