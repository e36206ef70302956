// Draws the charts of a page: each figure holds its data and says by their `kind` which function below draws it.
// Without this script a page has its tables, which it closes.
"use strict";

const SERIES = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `var(--s${n})`);
const AXIS = {labelAnchor: "center", labelArrow: "none", labelOffset: 38};

const SHAPES = ["circle", "square", "triangle", "diamond", "star", "wye", "cross", "circle"];

const colour = (names, name) => SERIES[Math.max(names.indexOf(name), 0) % SERIES.length];

// How wide labels are in pixels, in whatever font the reader has.
const pen = document.createElement("canvas").getContext("2d");
function widest(labels) {
  pen.font = "13px system-ui, sans-serif"; // of .chart svg in page.css
  return Math.max(...labels.map((l) => pen.measureText(l).width));
}

const STEPS = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
const short = (v) => Number(v.toPrecision(3)).toLocaleString("en");

// "34.6 kB", "0.7 %", "32": a share is rounded to tenths, a count has no prefix.
function show(v, unit) {
  if (unit === "%") return `${v.toFixed(1)} %`;
  if (unit === "") return short(v);
  const [scale, prefix] = STEPS.find(([s]) => Math.abs(v) >= s) ?? [1, ""];
  return `${short(v / scale)} ${prefix}${unit}`;
}

function legend(names) {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const name of names) {
    const item = document.createElement("li");
    const sign = document.createElement("i");
    sign.style.background = colour(names, name);
    item.append(sign, name);
    list.append(item);
  }
  return list;
}

// Horizontal bars: one for each label, or side by side or in a row one for each series.
function bars(d, width) {
  const labels = [...new Set(d.rows.map((r) => r.label))];
  const longest = widest(labels) + 16;
  const left = Math.min(longest, width * 0.4);
  const side = d.series.length > 1 && !d.stacked;
  const ticks = Math.max(2, width / 110);
  const place = side ? {fy: "label", y: "series"} : {y: "label"};
  const sums = d.stacked ? labels.map((label) => ({
    label, value: d.rows.filter((r) => r.label === label).reduce((sum, r) => sum + r.value, 0)
  })) : d.rows;
  const most = Math.max(...sums.map((r) => r.value));
  const axis = {axis: null, label: null, domain: labels};
  return Plot.plot({
    width, marginLeft: left, marginRight: widest(sums.map((r) => show(r.value, d.unit))) + 12, marginTop: 4,
    marginBottom: 44, height: labels.length * (side ? 12 + 14 * d.series.length : 26) + 48,
    x: {...AXIS, label: d.label, domain: [0, d.high ?? (most || 1)], ticks,
      tickFormat: (v) => d.unit === "%" ? `${v} %` : show(v, d.unit)},
    ...(side ? {fy: {...axis, padding: 0.25}, y: {axis: null, domain: d.series}} : {y: {...axis, padding: 0.3}}),
    marks: [
      Plot.gridX({ticks}),
      Plot.barX(d.rows, {...place, x: "value", fill: (r) => colour(d.series, r.series), insetLeft: 0.5}),
      Plot.text(labels, {...(side ? {fy: (l) => l, frameAnchor: "left"} : {y: (l) => l, frameAnchor: "left"}),
        text: (l) => l, textAnchor: "end", dx: -8, lineWidth: left < longest ? (left - 8) / 14 : Infinity,
        textOverflow: "ellipsis"}),
      Plot.text(sums, {...place, x: "value", text: (r) => show(r.value, d.unit), textAnchor: "start", dx: 5}),
      Plot.ruleX([0])
    ]
  });
}

// What an SM can issue and what each memory can move, and where each run is.
function roofline(d, width) {
  const top = Math.max(...d.points.map((p) => p.top));
  const levels = d.series;
  const low = Math.min(...d.points.map((p) => p.x)) / 4;
  const high = Math.max(...d.points.map((p) => Math.max(p.x, p.top / p.slope))) * 4;
  const roofs = levels.map((level) => d.points.find((p) => p.level === level));
  const names = Map.groupBy(roofs, (p) => p.slope); // some have the same line
  const bottom = Math.min(...d.points.map((p) => p.y), ...roofs.map((p) => p.slope * low)) / 2;
  const at = (p, x) => Math.min(p.slope * x, p.top);
  const places = Map.groupBy(d.points, (p) => `${p.run} ${p.x.toPrecision(2)}`);
  return Plot.plot({
    width, height: Math.min(420, Math.max(300, width * 0.75)), marginLeft: 52, marginRight: 16, marginTop: 24,
    marginBottom: 44,
    x: {...AXIS, type: "log", domain: [low, high], label: "instructions for each byte", ticks: Math.max(2, width / 120),
      tickFormat: short},
    y: {type: "log", domain: [bottom, top * 2], label: "instructions in a cycle", labelArrow: "none", ticks: 5,
      tickFormat: short},
    marks: [
      Plot.gridY({ticks: 5}),
      Plot.ruleY([top], {strokeWidth: 2}),
      Plot.text([top], {x: high, y: (v) => v, text: () => "all SMs issue", textAnchor: "end", dy: -8}),
      Plot.link(roofs, {x1: low, y1: (p) => at(p, low), x2: (p) => p.top / p.slope, y2: "top",
        stroke: (p) => colour(levels, p.level), strokeWidth: 2}),
      Plot.text(names.keys(), {x: low, y: (slope) => slope * low, textAnchor: "start", dx: 4, dy: -12,
        stroke: "var(--paper)", strokeWidth: 6, fill: "var(--ink)",
        text: (slope) => names.get(slope).map((p) => p.level).join(", ")}),
      Plot.link(d.points, {x1: "x", y1: "y", x2: "x", y2: (p) => at(p, p.x), stroke: (p) => colour(levels, p.level),
        strokeDasharray: "2 3"}),
      Plot.dot(d.points, {x: "x", y: "y", r: 5, fill: (p) => colour(levels, p.level),
        symbol: (p) => d.runs.indexOf(p.run) % 2 ? "square" : "circle"}),
      Plot.text(width < 600 ? [] : places.values(), {x: (list) => list[0].x, y: (list) => list[0].y, dy: 14,
        text: (list) => list.map((p) => p.level).join(", ") + (d.runs.length > 1 ? `: ${list[0].run}` : "")})
    ],
    symbol: {type: "identity"}
  });
}

// A mark for each lane at the bank or sector that it wants; those of one pass or line have one colour.
function lanes(d, width) {
  const groups = [...new Set(d.points.map((p) => p.group))];
  const whole = Math.min(width, 140 + (d.last + 1) * 14);
  const room = (whole - 46) / (widest([`${d.last}`]) + 8); // for numbers below the axis
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((d.last + 1) / room)));
  const ticks = Array.from({length: Math.floor(d.last / step) + 1}, (_, i) => i * step);
  return Plot.plot({
    width: whole, height: 380, marginLeft: 46, marginTop: 20, marginBottom: 44,
    x: {...AXIS, label: d.label, domain: [-0.5, d.last + 0.5], ticks, tickFormat: "d"},
    y: {label: "lane", domain: [d.lanes - 0.5, -0.5], labelArrow: "none", tickFormat: "d"},
    marks: [Plot.gridX({ticks}), Plot.gridY(),
      Plot.rect(d.points, {x1: (p) => p.at - 0.4, x2: (p) => p.at + 0.4, y1: (p) => p.lane - 0.4,
        y2: (p) => p.lane + 0.4, fill: (p) => colour(groups, p.group)})]
  });
}

// Lines over an axis of numbers, with rings at knees and crosses where two change places.
function curves(d, width) {
  const ticks = Math.max(2, width / 110);
  const xs = [...new Set(d.points.map((p) => p.x))].sort((a, b) => a - b);
  const step = Math.ceil(xs.length / ticks);
  const at = d.log && step <= 4 ? {ticks: xs.filter((_, i) => i % step === 0)} : {ticks};
  const plus = (scale) => d[scale] ? {type: "log"} : {zero: scale === "log_y"};
  return Plot.plot({
    width, height: Math.min(420, Math.max(300, width * 0.6)), marginLeft: 64, marginRight: 20, marginTop: 24,
    marginBottom: 44,
    x: {...AXIS, ...at, ...plus("log"), label: d.x, tickFormat: short},
    y: {...plus("log_y"), label: d.y, labelArrow: "none", ticks: 5, tickFormat: (v) => show(v, d.unit)},
    marks: [
      Plot.gridX(at), Plot.gridY({ticks: 5}),
      Plot.ruleY(d.level === undefined ? [] : [d.level], {stroke: "var(--quiet)"}),
      Plot.line(d.points, {x: "x", y: "y", z: "series", stroke: (p) => colour(d.series, p.series),
        strokeWidth: (p) => 4 - 2.5 * d.series.indexOf(p.series) / d.series.length}), // later ones on top are thinner
      Plot.dot(d.points, {x: "x", y: "y", r: 3, fill: (p) => colour(d.series, p.series),
        symbol: (p) => SHAPES[d.series.indexOf(p.series) % SHAPES.length]}),
      Plot.dot(d.marks.filter((m) => m.kind === "knee"), {x: "x", y: "y", r: 8, strokeWidth: 2,
        stroke: (m) => colour(d.series, m.series)}),
      Plot.dot(d.marks.filter((m) => m.kind === "crossing"), {x: "x", y: "y", r: 7, strokeWidth: 2, symbol: "times"})
    ],
    symbol: {type: "identity"}
  });
}

const KINDS = {bars, curves, roofline, lanes};

function draw(figure) {
  const chart = figure.querySelector(".chart");
  const data = JSON.parse(figure.querySelector("script").textContent);
  const width = Math.max(chart.clientWidth, 240);
  if (figure.drawn === width) return;
  figure.drawn = width;
  const names = data.series ?? [];
  const drawing = KINDS[data.kind](data, Math.min(width, 900));
  drawing.setAttribute("aria-hidden", "true"); // the words of the chart say what it shows
  chart.replaceChildren(...(names.length > 1 ? [legend(names)] : []), drawing);
}

function theme() {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const prefers = () => matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const isDark = () => (root.style.colorScheme || prefers()) === "dark";
  const show = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.style.colorScheme = isDark() ? "light" : "dark";
    show();
  });
  show();
}

const figures = [...document.querySelectorAll("figure:has(> .chart)")];
for (const details of document.querySelectorAll("figure > details")) details.open = false;
for (const figure of figures) {
  draw(figure);
  new ResizeObserver(() => requestAnimationFrame(() => draw(figure))).observe(figure);
}
theme();
document.documentElement.dataset.drawn = "yes";
