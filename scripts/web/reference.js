// Tables of the documentation that the page's tab Language shows: directives, and words of CUDA, OpenCL and PTX.
//
//   reference()      [{title, rows: [{words, name, doc}]}]    `name` and `doc` are HTML, `words` the words that a row is about
import { marked } from "marked";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Headings of pages whose table is taken.
const PAGES = { "docs/assembly.md": ["Directives"], "docs/cuda-to-heddle.md": ["CUDA C++", "OpenCL", "PTX"] };
const root = fileURLToPath(new URL("../../", import.meta.url));

const html = (text) => marked.parseInline(text, { async: false }).replace(/<a [^>]*>([^]*?)<\/a>/g, "$1"); // pages are not there

// `a`, `b`, c d  ->  ["a", "b", "c d"]
const wordsOf = (cell) => cell.split(", ").map((word) => word.replace(/`/g, "").trim()).filter(Boolean);

function tables(path, headings) {
  const found = [];
  let title = null;
  for (const token of marked.lexer(readFileSync(root + path, "utf8"))) {
    if (token.type === "heading") title = token.text;
    else if (token.type === "table" && headings.includes(title))
      found.push({ title, rows: token.rows.map(([left, right]) =>
        ({ words: wordsOf(left.text), name: html(left.text), doc: html(right.text) })) });
  }
  if (found.length !== headings.length) throw new Error(`${path}: no table below one of: ${headings.join(", ")}`);
  return found;
}

export const reference = () => Object.entries(PAGES).flatMap(([path, headings]) => tables(path, headings));
