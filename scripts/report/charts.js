// The charts of a page, by the `kind` of their data: a function each of the data and the width that makes the picture, and
// what its legend is. figures.js puts them into the page.
"use strict";

// The labels of bars of several series, under the names of their roles, which stand where no bar is.
function grouped(d, labels) {
  if (!d.roles || d.series.length === 1) return labels;
  return labels.flatMap((label, i) => i && d.roles[labels[i - 1]] === d.roles[label] ? [label] : [d.roles[label], label]);
}

// The rivals of bars of one series, the best first.
const rivals = (d) => d.series.length > 1 ? [] :
  d.rows.filter((r) => d.roles?.[r.label] === "rival").sort((a, b) => a.value - b.value);

// Horizontal bars: one for each label, or side by side or in a row one for each series. Of one series the colours are those
// of the roles of the labels, where these have some.
function bars(d, width) {
  const look = looks(d), plain = d.series.length === 1, side = !plain && !d.stacked;
  const labels = [...new Set(d.rows.map((r) => r.label))], rows = grouped(d, labels), isBold = (l) => !labels.includes(l);
  const longest = widest(rows) + 16, left = Math.min(longest, width * 0.5), faint = new Set(rivals(d).slice(1));
  const place = side ? {fy: "label", y: "series"} : {y: "label"}, edge = {frameAnchor: "left", [side ? "fy" : "y"]: (l) => l};
  const sums = d.stacked ? labels.map((label) => ({
    label, value: d.rows.filter((r) => r.label === label).reduce((sum, r) => sum + r.value, 0)
  })) : d.rows;
  const most = d.high ?? (Math.max(...sums.map((r) => r.value)) || 1), right = widest(sums.map((r) => show(r.value, d.unit))) + 12;
  const x = axis({low: 0, high: most, unit: d.unit, label: d.label}, width - left - right);
  const down = {axis: null, label: null, domain: rows};
  return Plot.plot({
    width, marginLeft: left, marginRight: right, marginTop: 4, marginBottom: 44,
    height: rows.length * (side ? 12 + 14 * d.series.length : 26) + 48, x: x.scale,
    ...(side ? {fy: {...down, padding: 0.25}, y: {axis: null, domain: d.series}} : {y: {...down, padding: 0.3}}),
    marks: [
      x.marks,
      Plot.barX(d.rows, {...place, x: "value", insetLeft: 0.5,
        fillOpacity: (r) => faint.has(r) ? FAINT : 1, fill: (r) => plain && d.roles ? roleColour(d.roles[r.label]) : look.get(r.series).colour}),
      [true, false].map((bold) => Plot.text(rows.filter((l) => isBold(l) === bold), {...edge, text: (l) => l, textAnchor: "end",
        dx: -8, textOverflow: "ellipsis", lineWidth: left < longest ? (left - 8) / 14 : Infinity,
        fontWeight: bold ? "bold" : "normal"})),
      Plot.text(sums, {...place, x: "value", text: (r) => show(r.value, d.unit), textAnchor: "start", dx: 5}),
      Plot.ruleX([0])
    ]
  });
}

// Runs and boards may differ in their roofs: each one once.
function roofsOf(points) {
  const seen = new Map();
  for (const p of points) seen.set(`${p.level} ${p.slope} ${p.top}`, p);
  return [...seen.values()];
}

// Draws what an SM can issue and what each memory can move, and each run. The legend names levels and runs.
function roofline(d, width) {
  const look = looks(d), roofs = roofsOf(d.points), colour = (p) => look.get(p.level).colour;
  const top = Math.max(...d.points.map((p) => p.top));
  const low = Math.min(...d.points.map((p) => p.x)) / 4;
  const high = Math.max(...d.points.map((p) => Math.max(p.x, p.top / p.slope))) * 4;
  const bottom = Math.min(...d.points.map((p) => p.y), ...roofs.map((p) => p.slope * low)) / 2;
  const at = (p, x) => Math.min(p.slope * x, p.top), height = Math.min(420, Math.max(300, width * 0.75));
  const x = axis({low, high, log: true, label: "instructions for each byte"}, width - 68);
  const y = axis({low: bottom, high: top * 2, log: true, label: "instructions in a cycle", up: true}, height - 68);
  return Plot.plot({
    width, height, marginLeft: 52, marginRight: 16, marginTop: 24, marginBottom: 44, x: x.scale, y: y.scale,
    symbol: {type: "identity"},
    marks: [
      x.marks, y.marks,
      Plot.ruleY([...new Set(roofs.map((p) => p.top))], {strokeWidth: 2}),
      Plot.text([top], {x: high, y: (v) => v, text: () => "all SMs issue", textAnchor: "end", dy: -8}),
      Plot.link(roofs, {x1: low, y1: (p) => at(p, low), x2: (p) => p.top / p.slope, y2: "top", stroke: colour, strokeWidth: 2}),
      Plot.link(d.points, {x1: "x", y1: "y", x2: "x", y2: (p) => at(p, p.x), stroke: colour, strokeDasharray: "2 3"}),
      Plot.dot(d.points, {x: "x", y: "y", r: 5, fill: colour, symbol: (p) => SHAPES[d.runs.indexOf(p.run) % SHAPES.length],
        title: (p) => `${p.run}, ${p.level}: ${p.share.toFixed(1)} % of its peak`})
    ]
  });
}

const shape = (symbol) => Plot.plot({width: 12, height: 12, margin: 0, axis: null, x: {domain: [0, 1]}, y: {domain: [0, 1]},
  symbol: {type: "identity"}, marks: [Plot.dot([[0.5, 0.5]], {fill: "currentColor", symbol, r: 4})]});
const roofsAndRuns = (d) => [...swatches(d), ...(d.runs.length > 1 ? d.runs : []).map((name, i) =>
  ({name, draw: () => shape(SHAPES[i % SHAPES.length])}))];

// A mark for each lane at the bank or sector that it wants; those of one pass or line have one colour.
function lanes(d, width) {
  const groups = [...new Set(d.points.map((p) => p.group))];
  const whole = Math.min(width, 140 + (d.last + 1) * 14);
  const room = (whole - 46) / (widest([`${d.last}`]) + 8); // for numbers below the axis
  const step = 2 ** Math.max(0, Math.ceil(Math.log2((d.last + 1) / room)));
  const ticks = Array.from({length: Math.floor(d.last / step) + 1}, (_, i) => i * step);
  return Plot.plot({
    width: whole, height: 380, marginLeft: 46, marginTop: 20, marginBottom: 44,
    x: {...LABEL, label: d.label, domain: [-0.5, d.last + 0.5], ticks, tickFormat: "d"},
    y: {label: "lane", domain: [d.lanes - 0.5, -0.5], labelArrow: "none", tickFormat: "d"},
    marks: [Plot.gridX({ticks}), Plot.gridY(),
      Plot.rect(d.points, {x1: (p) => p.at - 0.4, x2: (p) => p.at + 0.4, y1: (p) => p.lane - 0.4,
        y2: (p) => p.lane + 0.4, fill: (p) => `var(--s${groups.indexOf(p.group) % 8 + 1})`})]
  });
}

// ---- curves ----

// Curves have their names beside them, where there is room, in place of a legend.
const NAMED = 560, MOST = 16;
const isNamed = (d, width) => d.series.length > 1 && d.series.length <= MOST && width >= NAMED;

// Returns the ends of an axis: its least and greatest value; upwards it begins at 0 unless it is logarithmic.
function ends(values, log, zero) {
  const low = Math.min(...values), high = Math.max(...values);
  if (log) return low < high ? [low, high] : [low / 2, high * 2];
  return [zero ? Math.min(low, 0) : low, low < high || zero && high > 0 ? high : low + 1];
}

// The axis across: labelled at values that were measured, where they are as good as evenly spaced.
function measured(d, width) {
  const xs = [...new Set(d.points.map((p) => p.x))].sort((a, b) => a - b), [low, high] = ends(xs, d.log);
  const found = axis({low, high, log: d.log, label: d.x}, width);
  const at = (v) => width * Math.log(v / low) / Math.log(high / low), gaps = xs.slice(1).map((v, i) => at(v) - at(xs[i]));
  for (const step of d.log && Math.max(...gaps) < 2 * Math.min(...gaps) ? [1, 2, 3, 4] : []) {
    const some = xs.filter((_, i) => i % step === 0);
    if (some.length > 1 && clear(some, found.text, at)) return axis({low, high, log: d.log, label: d.x}, width, some);
  }
  return found;
}

// The names of curves beside their last points.
function names(d, look, {y, x, top, height}) {
  const last = new Map();
  for (const p of d.points) if (!(last.get(p.series)?.x > p.x)) last.set(p.series, p);
  const [low, high] = y.scale.domain, part = (v) => d.log_y ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low);
  const found = [...last.values()], at = found.map((p) => top + (1 - part(p.y)) * height);
  const place = apart(at, 16, top + height);
  return found.flatMap((p, i) => {
    const where = {x: () => x.scale.domain[1], y: "y", dy: place[i] - at[i]};
    return [Plot.dot([p], {...where, dx: 14, r: 4, fill: look.get(p.series).colour, symbol: look.get(p.series).symbol}),
      Plot.text([p], {...where, dx: 22, text: "series", textAnchor: "start"})];
  });
}

// Lines over an axis of numbers, with a mark for each point, rings at knees and crosses where two change places.
function curves(d, width) {
  const look = looks(d), named = isNamed(d, width), top = 28, bottom = 44;
  const height = Math.min(420, Math.max(300, width * 0.6)), inner = height - top - bottom;
  const [low, high] = ends(d.points.map((p) => p.y), d.log_y, true);
  const y = axis({low, high: d.log_y ? high : d.high ?? high, log: d.log_y, unit: d.unit, label: d.y, up: true}, inner);
  const left = widest(y.texts) + 16;
  const right = named ? Math.min(widest(d.series) + 32, width * 0.4) : 28, x = measured(d, width - left - right);
  const at = {x: "x", y: "y"}, colour = (p) => look.get(p.series).colour;
  return Plot.plot({
    width, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom, x: x.scale, y: y.scale,
    symbol: {type: "identity"},
    marks: [
      x.marks, y.marks,
      d.series.map((name) => Plot.line(d.points.filter((p) => p.series === name), {...at, stroke: look.get(name).colour,
        strokeWidth: 2, strokeDasharray: look.get(name).dash})),
      Plot.dot(d.points, {...at, r: 4, fill: colour, symbol: (p) => look.get(p.series).symbol,
        title: (p) => `${p.series}: ${show(p.y, d.unit)} at ${d.x} = ${short(p.x)}`}),
      Plot.dot(d.marks.filter((m) => m.kind === "knee"), {...at, r: 9, strokeWidth: 2, stroke: colour}),
      Plot.dot(d.marks.filter((m) => m.kind === "crossing"), {...at, r: 7, strokeWidth: 2, symbol: "times"}),
      named ? names(d, look, {x, y, top, height: inner}) : []
    ]
  });
}

// ---- claims ----

const VERDICTS = {"holds": "var(--good)", "holds when": "var(--mixed)", "does not hold": "var(--bad)"};
const OUTCOMES = [{won: true, name: "true there", symbol: "circle", colour: "var(--good)"},
  {won: false, name: "not true there", symbol: "times", colour: "var(--bad)"}];

// A line for each claim over the ratio of costs, with a mark for each condition; at an edge where one side costs nothing.
function ratios(d, width) {
  const points = d.rows.flatMap((row, i) => row.points.map((p) => ({...p, i})));
  const found = points.map((p) => p.ratio).filter((ratio) => ratio !== undefined);
  const low = Math.min(1, ...found) / 1.25, high = Math.max(1, ...found) * 1.25, at = (p) => p.ratio ?? (p.edge < 0 ? low : high);
  const words = d.rows.map((row) => row.claim), verdicts = d.rows.map((row) => row.verdict);
  const apiece = widest(words) + widest(verdicts, true) + 16 > width - 32, step = apiece ? 64 : 46, own = apiece ? 40 : 21;
  const x = axis({low, high, log: true, unit: "x", up: false, label: width < NAMED ? "times as good as the best rival" :
    "← the rival is better · cost of the best rival for 1 of the method's · the method is better →"}, width - 32);
  const verdict = apiece ? {x: low, dy: 17, textAnchor: "start"} : {x: high, textAnchor: "end"};
  const y = (i) => i * step + 8;
  return Plot.plot({
    width, height: d.rows.length * step + 60, marginLeft: 16, marginRight: 16, marginTop: 8, marginBottom: 48,
    x: x.scale, y: {domain: [d.rows.length * step, 0], axis: null}, symbol: {type: "identity"},
    marks: [
      x.marks,
      Plot.ruleX([1], {stroke: "var(--ink)", strokeWidth: 1.5}),
      Plot.link(d.rows, {x1: (row) => Math.min(...row.points.map(at)), x2: (row) => Math.max(...row.points.map(at)),
        y1: (_, i) => y(i) + own, y2: (_, i) => y(i) + own, stroke: "var(--line)", strokeWidth: 5, strokeLinecap: "round"}),
      OUTCOMES.map(({won, symbol, colour}) => Plot.dot(points.filter((p) => p.won === won), {x: at, y: (p) => y(p.i) + own,
        r: 4.5, symbol, stroke: colour, strokeWidth: 1.8, fill: won ? colour : "none", fillOpacity: 0.35,
        title: (p) => `${p.name}${p.ratio === undefined ? "" : `: ${short(p.ratio)}`}`})),
      Plot.text(d.rows, {x: low, y: (_, i) => y(i), text: "claim", textAnchor: "start", stroke: "var(--paper)", strokeWidth: 4,
        fill: "var(--ink)"}),
      Plot.text(d.rows, {...verdict, y: (_, i) => y(i), text: "verdict", fontWeight: "bold", stroke: "var(--paper)",
        strokeWidth: 4, fill: (row) => VERDICTS[row.verdict] ?? "var(--mixed)"})
    ]
  });
}

const outcomes = () => OUTCOMES.map(({name, symbol, colour}) => ({name, draw: () => Plot.plot({width: 12, height: 12, margin: 0,
  axis: null, x: {domain: [0, 1]}, y: {domain: [0, 1]}, symbol: {type: "identity"}, marks: [Plot.dot([[0.5, 0.5]],
    {symbol, stroke: colour, strokeWidth: 1.8, fill: symbol === "circle" ? colour : "none", fillOpacity: 0.35, r: 4.5})]})}));

// ---- cells ----

// A word for each value of an axis and each series: coloured, and written where there is room, else by its letter.
function cells(d, width) {
  const kinds = wordsOf(d), xs = [...new Set(d.points.map((p) => p.x))].sort((a, b) => a - b);
  const left = d.series.length > 1 ? Math.min(widest(d.series) + 16, width * 0.4) : 16, room = (width - left - 16) / xs.length;
  const whole = widest(kinds) + 8 < room, colour = (p) => `var(--s${kinds.indexOf(p.word) % 8 + 1})`;
  const step = Math.ceil((widest(xs.map(short)) + 10) / room);
  return Plot.plot({
    width, height: d.series.length * 34 + 56, marginLeft: left, marginRight: 16, marginTop: 4, marginBottom: 44,
    x: {type: "band", domain: xs, padding: 0.04, axis: null}, y: {type: "band", domain: d.series, padding: 0.12, axis: null},
    marks: [
      Plot.axisX(xs.filter((_, i) => i % step === 0), {...LABEL, text: short, label: d.x, tickSize: 0}),
      Plot.cell(d.points, {x: "x", y: "series", fill: colour, fillOpacity: 0.3, stroke: colour, rx: 3,
        title: (p) => `${p.series} at ${d.x} = ${short(p.x)}: ${p.word}`}),
      Plot.text(d.points, {x: "x", y: "series", text: (p) => whole ? p.word : letterOf(kinds, p.word)}),
      Plot.text(d.series.length > 1 ? d.series : [], {frameAnchor: "left", y: (l) => l, text: (l) => l, textAnchor: "end", dx: -8,
        lineWidth: (left - 8) / 14, textOverflow: "ellipsis"})
    ]
  });
}

const wordsOf = (d) => [...new Set(d.points.map((p) => p.word))];
const letterOf = (kinds, word) => String.fromCharCode(65 + kinds.indexOf(word));
const words = (d) => wordsOf(d).map((word, i, all) => ({name: `${letterOf(all, word)}: ${word}`,
  draw: () => square(`var(--s${i % 8 + 1})`)}));

const curveNames = (d, width) => [...roles(d), ...(isNamed(d, width) || d.series.length < 2 ? [] : lines(d))];

function barNames(d) {
  if (d.series.length > 1) return swatches(d);
  const others = {name: "other rivals", draw: () => square(roleColour("rival"), FAINT)};
  return roles(d).flatMap((one) => one.name !== "rival" ? [one] : rivals(d).length > 1 ? [{...one, name: "best rival"}, others] : [one]);
}

const KINDS = {
  bars: {draw: bars, legend: barNames}, curves: {draw: curves, legend: curveNames},
  roofline: {draw: roofline, legend: roofsAndRuns}, lanes: {draw: lanes, legend: () => []},
  ratios: {draw: ratios, legend: outcomes}, cells: {draw: cells, legend: words}
};
