// Elements of the page, made without a framework, and how its numbers are written.
//
//   h("button", { class: "quiet", onclick: run }, "Run")      also of SVG: s("rect", { x: 1, width: 2 })
//   table({ caption, head: ["lane", "address"], rows: [[0, number(4096)], ...] })

import { counted } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, given, children) {
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0 || child === ""));
  return element;
}

export const h = (name, given = {}, ...children) => fill(document.createElement(name), given, children);
export const s = (name, given = {}, ...children) => fill(document.createElementNS(SVG, name), given, children);

// Gives an element these children, and keeps present ones that look the same: no layout.
export function renew(parent, children) {
  children.forEach((child, k) => {
    const old = parent.children[k];
    if (!old) parent.append(child);
    else if (!old.isEqualNode(child)) old.replaceWith(child);
  });
  while (parent.children.length > children.length) parent.lastChild.remove();
}

const separated = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
export const number = (value) => value === null || value === undefined ? "none" : separated.format(value);
export const hex = (value) => `0x${BigInt(value).toString(16)}`;
export const plural = (count, word) => counted(number(count), word) ?? `${number(count)} ${word}${count === 1 ? "" : "s"}`;

// The lanes of a mask, "0xff": numbers.
export function lanes(mask) {
  const found = [];
  for (let bits = BigInt(mask ?? 0), lane = 0; bits; bits >>= 1n, lane++) if (bits & 1n) found.push(lane);
  return found;
}

// Numbers that follow one another, [0, 1, 2, 5] as "0-2, 5" with "-" between the first and the last.
export function ranges(numbers, between) {
  const runs = [];
  for (const n of [...numbers].sort((a, b) => a - b))
    if (runs.length && runs.at(-1)[1] === n - 1) runs.at(-1)[1] = n;
    else runs.push([n, n]);
  return runs.map(([from, to]) => from === to ? `${from}` : `${from}${between}${to}`).join(", ");
}

// The signs of a legend, [sign, words], that a text has.
export const signsIn = (text, legend) =>
  legend.filter(([sign]) => text.includes(sign)).map((one) => one.join(" ")).join("; ");

// Copies a text where the browser lets it; true if it did.
export const copied = async (text) => navigator.clipboard?.writeText(text).then(() => true, () => false);

// A table with its headings; a cell that is a number, or text that begins as one, stands to the right.
export function table({ caption, head, rows, class: kind = "plain" }) {
  const right = (cell) => typeof cell === "number" || (typeof cell === "string" && /^[-+\u22120-9]/.test(cell));
  const side = (value) => right(value) ? "number" : null;
  const cell = (value, column) => h(column ? "td" : "th", { scope: column ? null : "row", class: side(value) },
    typeof value === "number" ? number(value) : value);
  const heading = (word, i) => h("th", { scope: "col", class: side(rows[0]?.[i]) }, word);
  return h("table", { class: kind },
    caption ? h("caption", {}, caption) : null,
    h("thead", {}, h("tr", {}, head.map(heading))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell)))));
}

// Wraps content that may be wider than its place, to scroll there, by keyboard, too.
export const wide = (label, ...children) =>
  h("div", { class: "wide", role: "region", tabindex: 0, "aria-label": label }, children);
