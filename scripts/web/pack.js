// The files that the page and its tests hand to the module: what Lua reads of the source tree, as {path: text}.
//
//   const files = pack("build/heddle");
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";

// Lua below scripts/lib/heddle that cases and lessons need; studies, reports and sweeps stay outside.
const MODULES = ["cases", "kit", "lessons", "page"];
const REPORT = ["html", "memory", "number", "speed", "waits"]; // the parts of a report that the page shows

const below = (folder, ending) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`)
  .filter((path) => path.endsWith(ending)).sort();

// Lua without its comments of whole lines, a fourth of it when packed; empty lines keep the others' numbers.
const read = (path) => {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".lua") ? text.replace(/^[ \t]*--.*$/gm, "") : text;
};

// Boards as lines, since the module has no YAML; without the places of their values, in files that the page does not have,
// and without columns: a text of over 32 KB lies beyond what gzip finds again in the next one.
const boards = (heddle) => readdirSync("configs").filter((file) => file.endsWith(".yaml")).map((file) =>
  [`configs/${file}`, execFileSync(heddle, ["board", file.replace(".yaml", "")], { encoding: "utf8" })
    .replace(/ \[[^\]\n]*\]$/gm, "").replace(/ {2,}# /g, " # ")]);

export function pack(heddle) {
  const paths = [...MODULES.flatMap((name) => below(`scripts/lib/heddle/${name}`, ".lua")),
    ...REPORT.map((name) => `scripts/lib/heddle/report/${name}.lua`), ...below("kernels", ".hd"),
    ...below("docs/lessons", ".md").filter((path) => !path.includes("/zh/"))];
  return Object.fromEntries([...paths.map((path) => [path, read(path)]), ...boards(heddle)]);
}
