// The sentences of the page, as its scripts have them in t`...`: {"Warp {} has ended.": ["steps.js"]}, and units of plural().
//
//   node scripts/web/words.js           those that a table of page/words/ lacks, or has for nothing
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const PAGE = new URL("./page/", import.meta.url).pathname;

// Returns the end of a template that begins after its backtick, at `at`, and the key of its text.
function template(text, at) {
  let key = "";
  for (let i = at; ; i++)
    if (text[i] === "\\") key += JSON.parse(`"${text.slice(i, i += 2).replace("\\`", "`").replace("\\$", "$")}"`), i--;
    else if (text[i] === "`") return { key, end: i + 1 };
    else if (text.startsWith("${", i)) {
      i = expression(text, i + 2);
      key += "{}";
    } else key += text[i];
}

// The place of the brace that ends an expression in a template.
function expression(text, at) {
  for (let i = at, depth = 0; ; i++)
    if (text[i] === "`") i = template(text, i + 1).end - 1;
    else if (text[i] === '"') i = text.indexOf('"', i + 1);
    else if (text[i] === "{") depth++;
    else if (text[i] === "}" && !depth--) return i;
}

export function sentences() {
  const found = {}, add = (key, file) => { found[key] = [...found[key] ?? [], file]; };
  for (const file of readdirSync(PAGE, { recursive: true }).filter((name) => name.endsWith(".js") && !/^words/.test(name))) {
    const text = readFileSync(PAGE + file, "utf8");
    for (const { index } of text.matchAll(/\bt`/g)) add(template(text, index + 2).key, file);
    for (const [, unit] of text.matchAll(/plural\([^"]*?, "(\w+)"\)/g)) add(`{} ${unit}`, file);
  }
  return found;
}

// The reasons of lessons' gates, as the page fills them: {"threads load {} bytes ...": ["rows.lua"]}.
export function reasonsOf(file = new URL("../lib/heddle/lessons/rows.lua", import.meta.url)) {
  return Object.fromEntries([...readFileSync(file, "utf8").matchAll(/say = "([^"]*)"/g)].map(([, text]) =>
    [text.replaceAll("%s", "{}").replaceAll("%%", "%"), ["rows.lua"]]));
}

const literals = (text) => [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one);
const rowsOf = (file, name) => [...read(file).matchAll(new RegExp(`^${name}\\([^]*?\\)$`, "gm"))].map(([row]) => literals(row));
const read = (file) => readFileSync(new URL(`../../sim/stat/${file}`, import.meta.url), "utf8").replace(/\/\*[^]*?\*\/|^#.*$/gm, "");

// Words of what bounds a run, and of advice: those between their values.
export function reportWords() {
  const rules = rowsOf("advice.def", "RULE").flatMap(([action, , format]) => [action, format]);
  const titles = [...rowsOf("metrics.def", "LEVEL").map((row) => row.at(-1)), ...rowsOf("limits.def", "LIMIT").map((row) => row[1])];
  const waits = rowsOf("counters.def", "STALL").map((row) => row[1]);
  const words = [...rules, ...waits, ...literals(read("limiter.c"))].flatMap((text) => text.replaceAll("%%", "\0").split(/%[.0-9]*[sufg]/))
    .map((text) => text.replaceAll("\0", "%").replace(/^[;:,. ]+|[;:,. ]+$/g, "")).filter((text) => / [a-z]{2}/.test(text) && /[a-z]{3}/.test(text));
  return [...new Set([...words, ...titles.filter((title) => /[a-z]{3}/.test(title))])];
}

// Lists where a table and the page differ.
export function gaps(table, found = sentences()) {
  const places = (text) => text.match(/\{\d?\}/g)?.length ?? 0;
  return [
    ...Object.keys(found).filter((key) => !(key in table)).map((key) => `${found[key][0]}: no translation of '${key}'`),
    ...Object.keys(table).filter((key) => !(key in found)).map((key) => `no sentence of the page is '${key}'`),
    ...Object.keys(table).filter((key) => places(key) !== places(table[key])).map((key) => `'${key}' has other values than '${table[key]}'`)
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const file of readdirSync(`${PAGE}words`))
  {
    const { default: table, reasons, report } = await import(`${PAGE}words/${file}`), parts = Object.keys(report).join("\n");
    for (const gap of [...gaps(table), ...gaps(reasons, reasonsOf())]) console.log(`${file}: ${gap}`);
    for (const words of reportWords()) if (!parts.includes(words)) console.log(`${file}: no translation of '${words}'`);
  }
