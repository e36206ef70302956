// Sentences of the page in the language that is chosen: by ?lang= of the address, else by what this browser remembers.
//
//   t`Warp ${name} has ended.`     English here; "Warp {} has ended." is its key in the table of another language (words/zh.js),
//                                  whose sentence may take the values in another order, as {1} and {0}
//   language, choose("zh")         the language; another one, which loads the page again
import { addressed } from "./share.js";
import zh, { reasons, report } from "./words/zh.js";

export const LANGUAGES = { en: "English", zh: "中文" };
const TABLES = { zh }, REASONS = { zh: reasons }, REPORTS = { zh: report }, KEPT = "heddle.language";

function chosen() {
  if (!globalThis.location) return "en"; // in tests
  const asked = new URLSearchParams(location.search).get("lang");
  try {
    return [asked, localStorage.getItem(KEPT)].find((one) => one in LANGUAGES) ?? "en";
  } catch {
    return asked in LANGUAGES ? asked : "en";
  }
}

export const language = chosen();

// A sentence of a table, or null: `values` are what stands at its places.
export function said(table, strings, values) {
  const found = table?.[strings.join("{}")];
  let next = 0;
  return found === undefined ? null : found.replace(/\{(\d?)\}/g, (_, place) => values[place || next++]);
}

export const t = (strings, ...values) => said(TABLES[language], strings, values) ?? strings.map((text, i) => text + (values[i] ?? "")).join("");

// A text of heddle's own rows, such as the reason of a wait.
export const own = (text) => said(TABLES[language], [text], []) ?? text;

// Makes a pattern of a sentence with places, which may follow a place and a colon: "n = 5, warp 8: ".
const pattern = (sentence) => new RegExp(`^(.*?: |)${sentence.split("{}").map((part) => part.replace(/[.*+?^$()|[\]\\]/g, "\\$&")).join("(.+?)")}$`);

// A text that heddle has made of a row's sentence and values, such as the reason of a lesson's gate.
export function filled(text, table = REASONS[language]) {
  for (const key of Object.keys(table ?? {})) {
    const [, before, ...values] = text.match(pattern(key)) ?? [];
    if (before !== undefined) return before + said(table, key.split("{}"), values);
  }
  return text;
}

// A sentence about what bounds a run, or advice, of the parts that a table has; a part that it lacks stays.
function part(text, table) {
  for (const key of Object.keys(table)) {
    const [, before, ...values] = text.match(pattern(key)) ?? [];
    if (before === "") return said(table, key.split("{}"), values.map((value) => part(value, table)));
  }
  return text;
}

export const reported = (text, table = REPORTS[language]) =>
  table ? `${text.replace(/\.$/, "").split("; ").map((one) => part(one, table)).join("；")}。` : text.replace(/\.?$/, ".");

// A number with its unit, "3 cycles", in a language that has one form for all numbers; null: English.
export const counted = (number, unit) => said(TABLES[language], ["", ` ${unit}`], [number]);

export function choose(code) {
  try {
    localStorage.setItem(KEPT, code);
  } catch { /* the address has it */ }
  location.assign(addressed("lang", code)); // a new query: the page is loaded again
}
