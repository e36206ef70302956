// Instructions that read other lanes, in short: who reads whom, from their operands before (docs/reference/isa.md has the rules,
// sim/api/explain/warp.c prints the same of a command).
//
//   exchangeOf({ text: "shfl.bfly.b32 r6, r4, 1", before, after, exec, width })
//     {kind: "shuffle", rows: [{name: "r4", values}], shown: {name: "r6", values}, from: Map lane -> {row, lane}, words}
//     {kind: "group", rows, shown, groups: [{lanes, value}], words}       votes, matches, reductions
//   null for any other instruction; states as the engine's `state` has them
import { lanes as lanesOf, ranges } from "./dom.js";
import { t } from "./words.js";

const bit = (mask, lane) => Number(BigInt(mask) >> BigInt(lane) & 1n);
const all = (width) => Array.from({ length: width }, (_, lane) => lane);
const lanesText = (list) => `${list.length > 1 ? t`lanes` : t`lane`} ${ranges(list, "-")}`;

// ---- shuffles ----

const SOURCE = { // {lane, inside} in a segment of s lanes
  idx: (i, by, s) => [by & (s - 1), by < s], up: (i, by) => [i - by, by <= i], down: (i, by, s) => [i + by, by < s - i],
  bfly: (i, by, s) => [i ^ by, (i ^ by) < s]
};

// Returns the same of a lane in the warp where c has the clamp and the segment's mask, as isa/shuffle.h has them.
function clampedSource(way, lane, by, c, last) {
  const segment = c >>> 8 & last, bound = lane & segment | c & last & ~segment, b = by & last;
  const source = { idx: lane & segment | b & ~segment, up: lane - b, down: lane + b, bfly: lane ^ b }[way];
  return [source, way === "up" ? source >= bound : source <= bound];
}

function shuffle({ name, operands: [d, a, b, c], before, exec, width }) {
  const way = name.split(".")[1], segment = Math.min(width, +name.match(/\.w(\d+)/)?.[1] || width), from = new Map(), outside = [];
  const clamped = /\.clamp\b/.test(name), wraps = way === "idx" && !clamped, first = (lane) => clamped ? 0 : lane & ~(segment - 1);
  const of = (operand, lane) => row(before, operand).values[lane] >>> 0;
  for (const lane of exec) {
    const [source, inside] = clamped ? clampedSource(way, lane, of(b, lane), of(c, lane), width - 1)
      : SOURCE[way](lane & (segment - 1), of(b, lane), segment);
    from.set(lane, { row: 0, lane: inside || wraps ? first(lane) + source : lane });
    if (!inside) outside.push(lane);
  }
  return { kind: "shuffle", rows: [row(before, a)], result: d, from, words: [
    segment < width ? t`Lanes read within segments of ${segment}.` : "", pattern(from), outside.length === 0 ? "" : wraps
      ? t`The number of ${lanesText(outside)} lies beyond the segment, and counts from its start again.`
      : t`There is no such lane in the segment of ${lanesText(outside)}: the own value stays.`].filter(Boolean).join(" ") };
}

function pattern(from) {
  const lanes = [...from.keys()], to = (lane) => from.get(lane).lane, sources = new Set(lanes.map(to));
  const others = lanes.filter((lane) => to(lane) !== lane), [first] = others, by = others.length ? to(first) - first : 0;
  if (!others.length) return t`Every lane keeps its own value.`;
  if (sources.size === 1) return t`All read lane ${to(first)}: a broadcast.`;
  if (others.every((lane) => to(lane) - lane === by)) return t`Each reads the lane ${Math.abs(by)} ${by > 0 ? t`above` : t`below`} it.`;
  if (lanes.every((lane) => to(lane) !== lane && from.has(to(lane)) && to(to(lane)) === lane))
    return t`They trade in pairs: lane ${first} with lane ${to(first)}, and so on.`;
  if (sources.size === lanes.length) return t`Every lane is read by exactly one: a permutation.`;
  return t`${sources.size} ${sources.size === 1 ? t`lane is` : t`lanes are`} read by ${lanes.length}.`;
}

// ---- transit registers ----

const slotsOf = (state, name) => Array.from({ length: state.slots }, (_, slot) =>
  ({ name: t`${name} slot ${slot}`, values: state.registers[name].slice(slot * state.width, (slot + 1) * state.width) }));

// The slots are 8 rows of 2k columns, of which every second row and column is read.
function extract({ operands: [d, x, phase], before, exec, width }) {
  const k = width / 4, odd = { row: +phase >> 1 & 1, column: +phase & 1 }, from = new Map();
  for (const lane of exec) {
    const r = 2 * Math.floor(lane / k) + odd.row, c = 2 * (lane % k) + odd.column;
    from.set(lane, { row: (r >= 4 ? 2 : 0) + (c >= k ? 1 : 0), lane: r % 4 * k + c % k });
  }
  const which = (one) => one ? t`odd` : t`even`;
  return { kind: "shuffle", rows: slotsOf(before, x), result: d, from,
    words: t`Phase ${phase}: the ${which(odd.row)} rows and the ${which(odd.column)} columns of the array of 8 rows and ${2 * k} columns.` };
}

function push({ operands: [x, a], before, after, exec }) {
  const slots = slotsOf(after, x), from = new Map(exec.map((lane) => [lane, { row: 0, lane }]));
  return { kind: "shuffle", rows: [row(before, a)], result: null, from, shown: slots.at(-1), words: t`Slot 3 of ${x} gets ${a}; slots 1 to 3 move down by one.` };
}

// ---- votes, matches, reductions ----

function group({ name, operands, before, after, exec }) {
  const [result, source] = operands, shown = row(after, result, name.startsWith("match") || name === "ballot.b64");
  const given = row(before, source.replace(/^!/, ""), /^match\.\w+\.b64/.test(name));
  const value = (lane) => Number(source.startsWith("!")) ^ given.values[lane];
  const groups = new Map();
  for (const lane of exec) {
    const key = name.startsWith("match.any") ? shown.values[lane] : "";
    if (!groups.has(key)) groups.set(key, { lanes: [], value: shown.values[lane] });
    groups.get(key).lanes.push(lane);
  }
  const holds = exec.filter((lane) => /^!?p/.test(source) && value(lane));
  const words = /^(vote|ballot)/.test(name)
    ? t`It holds in ${holds.length} of ${exec.length} lanes${holds.length ? `: ${lanesText(holds)}` : ""}.`
    : name.startsWith("match.any") ? t`${groups.size} ${groups.size === 1 ? t`value` : t`values`} in ${exec.length} lanes.`
      : t`All ${exec.length} lanes that execute it get one result.`;
  return { kind: "group", rows: [given], shown, groups: [...groups.values()], words };
}

// ---- all of them ----

// A register, a pair of them, a predicate or a number, lane by lane.
function row(state, operand, pair = false) {
  const [, kind, digits] = operand.match(/^([rp])(\d+|t)/) ?? [], name = kind ? kind + digits : operand;
  const values = kind === "p" ? all(state.width).map((lane) => digits === "t" ? 1 : bit(state.registers[name], lane))
    : state.registers[name] ?? all(state.width).map(() => +operand);
  const high = pair && state.registers[`r${+digits + 1}`];
  return { name, values: high ? values.map((low, lane) => BigInt(high[lane]) << 32n | BigInt(low)) : values };
}

const KINDS = [[/^shfl\./, shuffle], [/^xext$/, extract], [/^xpush$/, push], [/^(vote|ballot|match|redux)\b/, group]];

// The name of an instruction, its operands, and the kind of its exchange, undefined for one that reads no other lane.
function parsed(text) {
  const [name, ...rest] = text.replace(/^@!?\S+ +/, "").split(/ +/);
  return { name, rest, kind: KINDS.find(([pattern]) => pattern.test(name))?.[1] };
}

export const isExchange = (text) => parsed(text).kind !== undefined;

export function exchangeOf({ text, before, after, exec, width }) {
  const { name, rest, kind } = parsed(text);
  if (!kind || !before || !after) return null;
  // "r5|p1, r4, 1": the predicate is no operand of its own
  const operands = rest.join(" ").split(/, */).map((one) => one.trim());
  if (/^p\d+$/.test(operands[1] ?? "") && /^(shfl|match\.all)/.test(name)) operands.splice(1, 1);
  const found = kind({ name, operands, before, after, exec: lanesOf(exec), width });
  return { ...found, name, shown: found.shown ?? row(after, found.result) };
}
