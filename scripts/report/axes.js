// Numbers, ticks, colours and labels: what the charts of charts.js have in common.
"use strict";

// ---- numbers ----

const STEPS = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
const short = (v) => v.toLocaleString("en", {maximumSignificantDigits: 3});

// Returns the unit step for a value: seconds also below 1, bytes and counts from 1 on, counts in thousands from 10,000
// on. Units of their own ("GB/s", "%") are kept.
function stepOf(v, unit) {
  const least = unit === "" ? 1e4 : 0;
  if (!["", "s", "J", "B"].includes(unit) || Math.abs(v) < least) return [1, ""];
  return STEPS.find(([s]) => Math.abs(v) >= s && (s >= 1 || unit !== "B")) ?? [1, ""];
}

const told = (v, [scale, prefix], unit) => `${short(v / scale)}${["", "x"].includes(unit) ? prefix + unit : ` ${prefix}${unit}`}`;

// "34.6 kB", "0.7 %", "3,420", "181k": a share is rounded to tenths.
const show = (v, unit) => unit === "%" ? `${v.toFixed(1)} %` : told(v, stepOf(v, unit), unit);

// Formats ticks of an axis up to `high`: all in one step, a share without tenths.
const tickOf = (high, unit, log) => (v) => v === 0 ? "0" : told(v, stepOf(log ? v : high, unit), unit);

// ---- ticks ----

// Lists at most `most` multiples of 1, 2 or 5 times a power of ten.
function multiples(low, high, most) {
  for (let power = 10 ** Math.floor(Math.log10((high - low) / (most + 1))); ; power *= 10)
    for (const step of [power, 2 * power, 5 * power]) {
      const from = Math.ceil(low / step - 1e-9), count = Math.floor(high / step + 1e-9) - from + 1;
      if (count <= most) return Array.from({length: count}, (_, i) => (from + i) * step);
    }
}

// 1, 2, 5, 10, ... or powers of ten, or each second one, ...
function powers(low, high, most) {
  for (const [digits, step] of [[[1, 2, 5], 1], [[1], 1], [[1], 2], [[1], 3], [[1], 6]]) {
    const list = [];
    for (let n = Math.floor(Math.log10(low)); n <= Math.log10(high); n++)
      if (n % step === 0) list.push(...digits.map((digit) => digit * 10 ** n));
    const inside = list.filter((v) => v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9));
    if (inside.length <= most) return inside.length > 1 ? inside : multiples(low, high, most);
  }
  return [low, high];
}

// Measures labels in pixels, in the reader's font.
const pen = document.createElement("canvas").getContext("2d");
function widest(labels, bold) {
  pen.font = `${bold ? "bold " : ""}13px system-ui, sans-serif`; // of .chart svg in page.css
  return Math.max(0, ...labels.map((l) => pen.measureText(l).width));
}

const LABEL = {labelAnchor: "center", labelArrow: "none", labelOffset: 38};

// True if labels across do not overlap; `at` gives the place of a value.
function clear(ticks, text, at) {
  return ticks.every((v, i) => i === 0 || at(v) - at(ticks[i - 1]) >= (widest([text(v)]) + widest([text(ticks[i - 1])])) / 2 + 12);
}

// As many ticks as there is room for, at least one.
function ticksOf({low, high, log, up}, room, text) {
  const at = (v) => room * (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low));
  for (let most = Math.floor(room / (up ? 44 : 24)); most > 1; most--) {
    const ticks = (log ? powers : multiples)(low, high, most);
    if (up || clear(ticks, text, at)) return ticks;
  }
  return [low];
}

// An axis from `low` to `high` over `room` pixels, across or upwards: its scale, its ticks (or those given) as texts, and the
// marks of its grid and its labels.
function axis({low, high, log, unit = "", label, up}, room, given) {
  const text = tickOf(high, unit, log), ticks = given ?? ticksOf({low, high, log, up}, room, text);
  const marks = up ? [Plot.gridY(ticks), Plot.axisY(ticks, {text, label, labelArrow: "none"})] :
    [Plot.gridX(ticks), Plot.axisX(ticks, {...LABEL, text, label})];
  return {scale: {domain: [low, high], type: log ? "log" : "linear"}, texts: ticks.map(text), marks, text};
}

// ---- series ----

const SHADES = {proposed: 3, rival: 4, control: 2}; // of each role in common.css
const SHAPES = ["circle", "square", "triangle", "diamond", "star", "wye", "cross"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];

const roleColour = (role) => `var(--${role}-1)`;
const FAINT = 0.5; // opacity of rivals but the best

// Returns the looks of a figure's series, {colour, symbol, dash} by name: those with a role have its colours.
function looks(d) {
  const seen = {};
  return new Map(d.series.map((name, i) => {
    const role = d.roles?.[name];
    const k = role ? seen[role] = (seen[role] ?? -1) + 1 : i;
    return [name, {colour: role ? `var(--${role}-${k % SHADES[role] + 1})` : `var(--s${k % 8 + 1})`,
      symbol: SHAPES[i % SHAPES.length], dash: DASHES[k % DASHES.length]}];
  }));
}

// A legend is a list of {name, draw}, where draw() makes a small picture of the sign.
const square = (fill, fillOpacity = 1) => Plot.plot({width: 12, height: 12, margin: 0, axis: null, x: {domain: [0, 1]}, y: {domain: [0, 1]},
  marks: [Plot.rect([0], {x1: 0, x2: 1, y1: 0, y2: 1, fill, fillOpacity})]});
const swatches = (d) => [...looks(d)].map(([name, {colour}]) => ({name, draw: () => square(colour)}));
const lines = (d) => [...looks(d)].map(([name, look]) => ({name, draw: () => Plot.plot({width: 28, height: 12, margin: 0,
  axis: null, x: {domain: [0, 1]}, y: {domain: [0, 1]}, symbol: {type: "identity"}, marks: [
    Plot.line([[0, 0.5], [1, 0.5]], {stroke: look.colour, strokeWidth: 2, strokeDasharray: look.dash}),
    Plot.dot([[0.5, 0.5]], {fill: look.colour, symbol: look.symbol, r: 4})]})}));
function roles(d) {
  const used = new Set(Object.values(d.roles ?? {}));
  return Object.keys(SHADES).filter((role) => used.has(role)).map((role) => ({name: role, draw: () => square(roleColour(role))}));
}

// Heights of labels beside their marks, moved as little as keeps them apart and within the frame.
function apart(wanted, gap, bottom) {
  const order = wanted.map((y, i) => ({y, i})).sort((a, b) => a.y - b.y);
  order.forEach((one, k) => { one.y = Math.max(one.y, k ? order[k - 1].y + gap : -Infinity); });
  let limit = bottom;
  for (const one of order.reverse()) {
    one.y = Math.min(one.y, limit);
    limit = one.y - gap;
  }
  const found = [];
  for (const {y, i} of order) found[i] = y;
  return found;
}
