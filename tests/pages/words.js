// Is every sentence of the page and of the lessons there in each language, with the same values, commands, code and links?
//
//   node tests/pages/words.js
import { readFileSync, readdirSync } from "node:fs";
import { command, module } from "./lib/built.js";
import { check, ended } from "./lib/count.js";
import { Engine } from "../../scripts/web/page/engine.js";
import zh, { reasons, report } from "../../scripts/web/page/words/zh.js";
import { filled, reported, said } from "../../scripts/web/page/words.js";
import { pack } from "../../scripts/web/pack.js";
import { gaps, reasonsOf, reportWords, sentences } from "../../scripts/web/words.js";

const CHINESE = /[\u4e00-\u9fff]/;

// ---- the page ----

const engine = await Engine.make(module(), pack(command)), { words, ideals } = engine.open(), found = sentences();
for (const text of [...words.stalls.map(({ doc }) => doc), ...ideals.flatMap(({ title, doc }) => [title, doc])]) found[text] ??= ["a row of heddle"];
check(Object.keys(found).length > 300, `the page has ${Object.keys(found).length} sentences`);
for (const gap of gaps(zh, found)) check(false, gap);
check(gaps({ ...zh, more: "x" }, found).length === 1, "a sentence for nothing is found");
const { Run: _, ...fewer } = zh;
check(gaps({ ...fewer, Stop: "停止 {}" }, { ...found, "a new one": ["x.js"] }).length === 3, "missing ones, and other values, are found");
check(said({ "{} of {}": "{1}: {0}" }, ["", " of ", ""], [1, 2]) === "2: 1", "a translation orders its values");

// ---- reasons of gates ----

const kinds = reasonsOf();
check(Object.keys(kinds).length > 30, `lessons have ${Object.keys(kinds).length} reasons`);
for (const gap of gaps(reasons, kinds)) check(false, gap);
for (const [k, key] of Object.keys(kinds).entries()) {
  const values = ["1,234", "56.7"], fill = (text) => values.reduce((part, value) => part.replace("{}", value), text);
  const found = filled(`n = ${k}, warp 8 on teach32: ${fill(key)}`, reasons);
  check(found === `n = ${k}, warp 8 on teach32: ${fill(reasons[key])}`, `'${key}' becomes '${found}'`);
}
check(filled("elements of c are wrong", reasons) === "elements of c are wrong", "another text stays");
check(filled("threads load 5 bytes where at most 4 are needed", undefined).startsWith("threads"), "English stays");

// ---- what bounds a run ----

const parts = reportWords(), keys = Object.keys(report).join("\n");
check(parts.length > 80, `reports have ${parts.length} parts`);
for (const one of parts) check(keys.includes(one.replace(/; there$|^Bound by (?=latency)/, "")), `no translation of '${one}'`);
for (const key of Object.keys(report)) {
  const values = key.match(/\{\}/g)?.map((_, k) => String(10 + k)) ?? [], fill = (text) => text.replace(/\{(\d?)\}/g, (_, at) => values[at || next++]);
  let next = 0;
  const text = fill(key);
  next = 0;
  check(reported(text, report) === `${fill(report[key])}。`, `'${text}' becomes '${reported(text, report)}'`);
}
check(reported("a new cause; latency: warps never wait.", report) === "a new cause；延迟：线程束从不等待。", "a part that is not known stays");
check(reported("Bound by L2.", undefined) === "Bound by L2." && reported("walk", undefined) === "walk.", "English stays");

// ---- the lessons ----

// Collects what a translation has to share: headings by level, code, rows of tables, the code of a sentence, addresses of links.
function shape(text) {
  const [prose, code] = [text.replace(/^```[^]*?^```$/gm, "~"), text.match(/^```[^]*?^```$/gm)];
  const blocks = prose.split(/\n{2,}/).map((block) => block.trim()).filter(Boolean);
  return {
    headings: blocks.filter((b) => b.startsWith("#")).map((b) => b.match(/^#+/)[0]).join(" "), code,
    blocks: blocks.map((b) => /^[#|~<-]|^\d\./.exec(b)?.[0] ?? "text").join(" "), rows: prose.match(/^\|/gm)?.length ?? 0,
    links: [...prose.matchAll(/\]\(([^)]*)\)/g)].map(([, to]) => to.replace(/^(\.\.\/)+/, "")), hints: prose.match(/<summary>/g).length,
    words: blocks.map((b) => (b.startsWith("|") ? [] : b.match(/`[^`]*`/g) ?? []).filter((one) => !/^`[\w\\ ]+`$/.test(one)).sort().join(" "))
  };
}

const lessons = readdirSync("docs/lessons").filter((name) => /^\d/.test(name)), there = readdirSync("docs/lessons/zh");
check(lessons.join() === there.join(), `lessons ${lessons} and ${there}`);
for (const name of lessons) {
  const [first, second] = ["", "zh/"].map((folder) => readFileSync(`docs/lessons/${folder}${name}`, "utf8")), own = shape(second);
  for (const [what, value] of Object.entries(shape(first)))
    check(JSON.stringify(value) === JSON.stringify(own[what]), `${name}: other ${what}: ${JSON.stringify(own[what])} where ${JSON.stringify(value)}`);
  const plain = second.replace(/^```[^]*?^```$/gm, "").split("\n").filter((line) => /[a-z]{3}/.test(line.replace(/`[^`]*`|<[^>]*>|\]\([^)]*\)/g, "")));
  for (const line of plain) if (!line.startsWith("|")) check(CHINESE.test(line), `${name}: not translated: ${line}`);
}
ended();
