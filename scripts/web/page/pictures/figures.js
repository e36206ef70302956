// Draws the charts of `heddle report` (scripts/lib/heddle/report) from the data that its figures hold, by their `kind`, as
// scripts/report/charts.js does there with Observable Plot, which is larger than this page may be.
import { draw } from "./frame.js";
import { t } from "../words.js";

const ROW = 24, EDGE = 6, BOTTOM = 34;
const LETTER = 6.6; // pixels of a letter, about: for room beside bars
const SIGNS = ["●", "■", "▲", "◆"];

const STEPS = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
const digits = (v) => Number(v.toPrecision(3)).toLocaleString("en");

// "34.6 kB", "0.7 %", "32"
export function show(v, unit) {
  if (unit === "%") return `${v.toFixed(1)} %`;
  if (unit === "") return digits(v);
  const [scale, prefix] = STEPS.find(([step]) => Math.abs(v) >= step) ?? [1, ""];
  return `${digits(v / scale)} ${prefix}${unit}`;
}

const short = (words, most) => words.length > most ? `${words.slice(0, Math.floor(most) - 1)}…` : words;
const text = (x, y, words, kind = "label") => ({ name: "text", class: kind, x, y, words });
const series = (list, name) => `series s${Math.max(0, list.indexOf(name)) % 8 + 1}`;

// Horizontal bars, a row a label: the parts of a row follow one another.
export function bars({ rows, series: names, unit, high, label }, room) {
  const labels = [...new Set(rows.map((row) => row.label))], sums = labels.map((one) => rows.filter((row) => row.label === one)
    .reduce((sum, { value }) => sum + value, 0));
  const left = Math.min(room * 0.4, EDGE + LETTER * Math.max(...labels.map((one) => one.length)) + 8);
  const right = LETTER * Math.max(...sums.map((sum) => show(sum, unit).length)) + 12, most = high ?? (Math.max(...sums) || 1);
  const scale = (room - left - right) / most, shapes = [];
  labels.forEach((one, k) => {
    const y = EDGE + k * ROW;
    let x = left;
    shapes.push(text(left - 6, y + 14, short(one, left / LETTER), "end"));
    for (const row of rows.filter((part) => part.label === one)) {
      const width = row.value * scale;
      shapes.push({ name: "rect", class: series(names, row.series), x, y, width: Math.max(0, width - 0.5), height: ROW - 6,
        words: `${one}${names.length > 1 ? `, ${row.series}` : ""}: ${show(row.value, unit)}` });
      if (names.length > 1 && width > LETTER * row.series.length + 6)
        shapes.push(text(x + width / 2, y + 13, row.series, "middle small boxed"));
      x += width;
    }
    shapes.push(text(x + 5, y + 14, show(sums[k], unit)));
  });
  const bottom = EDGE + labels.length * ROW;
  shapes.push({ name: "path", class: "axis", d: `M${left} ${EDGE - 4}V${bottom}` }, text(left, bottom + 14, label, "about"));
  return { width: room, height: bottom + 20, shapes };
}

// Powers of ten between two values.
function decades(low, high) {
  const found = [];
  for (let n = Math.ceil(Math.log10(low)); n <= Math.log10(high); n++) found.push(10 ** n);
  return found;
}

// Draws what an SM can issue and what each memory can move, and the run.
export function roofline({ points, series: levels }, room) {
  const top = Math.max(...points.map((p) => p.top)), left = 46, width = room, height = Math.min(360, Math.max(260, room * 0.62));
  const low = Math.min(...points.map((p) => p.x)) / 4, high = Math.max(...points.map((p) => Math.max(p.x, p.top / p.slope))) * 4;
  const floor = Math.min(...points.map((p) => Math.min(p.y, p.slope * low))) / 2, roof = top * 2.5;
  const x = (v) => left + (Math.log(v / low) / Math.log(high / low)) * (width - left - EDGE);
  const y = (v) => EDGE + (Math.log(roof / v) / Math.log(roof / floor)) * (height - EDGE - BOTTOM), shapes = [];
  for (const v of decades(low, high)) shapes.push({ name: "path", class: "grid", d: `M${x(v)} ${EDGE}V${height - BOTTOM}` },
    text(x(v), height - BOTTOM + 14, digits(v), "middle small"));
  for (const v of decades(floor, roof)) shapes.push({ name: "path", class: "grid", d: `M${left} ${y(v)}H${width - EDGE}` },
    text(left - 5, y(v) + 4, digits(v), "end small"));
  shapes.push({ name: "path", class: "roof", d: `M${left} ${y(top)}H${width - EDGE}` },
    text(width - EDGE, y(top) - 6, t`all SMs issue`, "end"), text(left + 4, EDGE + 10, t`instructions in a cycle`, "about"),
    text(width - EDGE, height - 6, t`instructions for each byte`, "end about"));
  for (const slope of new Set(points.map((p) => p.slope))) { // some have the same line
    const these = points.filter((p) => p.slope === slope), lowest = Math.max(low, floor / slope);
    shapes.push({ name: "path", class: `slope ${series(levels, these[0].level)}`,
      d: `M${x(lowest)} ${y(slope * lowest)}L${x(top / slope)} ${y(top)}` },
    text(x(lowest) + (lowest > low ? 16 : 6), y(slope * lowest) + (lowest > low ? -4 : 14),
      these.map((p) => p.level).join(", "), "boxed small"));
  }
  points.forEach((p, k) => {
    const kind = series(levels, p.level);
    shapes.push({ name: "path", class: `drop ${kind}`, d: `M${x(p.x)} ${y(p.y)}V${y(Math.min(p.slope * p.x, p.top))}` },
      text(x(p.x), y(p.y) + 5, SIGNS[k % SIGNS.length], `middle mark ${kind}`),
      text(x(p.x), y(p.y) + 18 + 12 * overlaps(points, k), p.level, "middle small boxed"));
  });
  return { width, height, shapes };
}

// Counts earlier points at the same place: their names are placed below one another.
const overlaps = (points, k) => points.slice(0, k).filter((p) => Math.abs(Math.log(p.x / points[k].x)) < 0.7).length;

const KINDS = { bars, roofline };

function legend(names) {
  const list = document.createElement("ul");
  list.className = "legend";
  names.forEach((name) => {
    const item = document.createElement("li"), sign = document.createElement("i");
    sign.className = series(names, name);
    item.append(sign, name);
    list.append(item);
  });
  return list;
}

// Draws each figure below an element, and again when there is more or less room.
export function charts(root) {
  for (const figure of root.querySelectorAll("figure")) {
    const chart = figure.querySelector(".chart"), given = figure.querySelector("script"), details = figure.querySelector("details");
    if (details) details.open = false;
    if (!chart || !given) continue;
    const data = JSON.parse(given.textContent), names = data.series ?? [];
    let drawn = 0;
    const redraw = () => {
      const room = Math.min(760, Math.max(240, Math.floor(chart.clientWidth)));
      if (room === drawn) return;
      drawn = room;
      chart.replaceChildren(...names.length > 1 ? [legend(names)] : [], draw(KINDS[data.kind](data, room)));
    };
    redraw();
    new ResizeObserver(() => requestAnimationFrame(redraw)).observe(chart);
  }
}
