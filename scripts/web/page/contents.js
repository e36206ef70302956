// Contents of an array at the cursor, from the bytes before and after the launch and what each lane did to them. The rules are
// those of sim/debug/memory.c: a store counts from its issue on. The result of an atomic is not recorded; here it is computed
// for integers whose value before is known, if that leads to what the launch has left.
//
//   const part = new Contents({ array, first, count, touches, before, after }, result.program.code);
//   part.at(0, cursor)     {state: "known", bytes, by, late, last}          of element `first`
//
//   state   "known"; "never": nobody has stored it; "unknown": an atomic has changed it
//   by      the row of what stored it last before the cursor, or null; rows are {issue, access, block, warp, lane, pc, kind, ...}
//   late    it has issued, and has not reached memory
//   last    nothing stores it after the cursor
import { at as placeOf } from "./record.js";

const COLUMNS = 9, VALUES = 4; // words of a row
const STORED = 0, COMBINED = 1, LOADED = 2; // enum heddle_touch_kind

// Results of atomics that do not depend on an order, for integers of 32 and 64 bits.
const COMBINE = {
  add: (a, b) => a + b, and: (a, b) => a & b, or: (a, b) => a | b, xor: (a, b) => a ^ b,
  min: (a, b) => a < b ? a : b, max: (a, b) => a > b ? a : b
};
const ATOMIC = /(?:atom|red)\.\S*?\b(add|and|or|xor|min|max)\.([usb])(32|64)\b/;

const whole = (bytes) => bytes.reduceRight((sum, byte) => sum << 8n | BigInt(byte), 0n);
const wordsOf = (value) => Uint32Array.of(Number(value & 0xffffffffn), Number(value >> 32n));

function rowsOf({ words, width }) {
  const rows = [];
  for (let at = 0; at < words.length; at += width) {
    const [issue, access, block, warp, lane, pc, kind, bytes, offset] = words.subarray(at, at + COLUMNS);
    rows.push({ issue, access, block, warp, lane, pc, kind, bytes, offset: offset | 0, // bytes before the first one
      value: words.subarray(at + COLUMNS, at + COLUMNS + VALUES) });
  }
  return rows.sort((a, b) => a.issue - b.issue || a.lane - b.lane);
}

const byteOf = (row, at) => row.value[(at - row.offset) >> 2] >>> 8 * ((at - row.offset) & 3) & 255;

function combined(text, old, given) {
  const [, what, type, bits] = text.match(ATOMIC) ?? [], read = type === "s" ? BigInt.asIntN : BigInt.asUintN;
  return what ? COMBINE[what](read(+bits, old), read(+bits, given)) : null;
}

export class Contents {
  constructor({ array, first, count, touches, before = null, after = null }, code) {
    Object.assign(this, { array, first, count, before, after });
    this.stores = Array.from({ length: count * array.size }, () => []);
    this.loads = this.stores.map(() => []);
    for (const row of rowsOf(touches))
      for (let at = Math.max(0, row.offset); at < Math.min(this.stores.length, row.offset + row.bytes); at++)
        (row.kind === LOADED ? this.loads : this.stores)[at].push(row);
    this.issues = this.stores.map((rows) => rows.map(({ issue }) => issue));
    for (let index = 0; index < count; index++) this.combine(index, code);
    this.kept = Array.from({ length: count }, (_, index) => this.together(index) ? [] : null); // answers of `at`
  }

  // True if all bytes of an element are stored by the same rows.
  together(index) {
    const { size } = this.array, [first, ...rest] = this.stores.slice(index * size, (index + 1) * size);
    return rest.every((rows) => rows.length === first.length && rows.every((row, k) => row === first[k]));
  }

  // Computes the results of the atomics on an element, which then count as stored.
  combine(index, code) {
    const { array: { size }, before, after } = this, from = index * size, rows = this.stores[from] ?? [];
    const atomics = rows.filter(({ kind }) => kind === COMBINED);
    if (!atomics.length || rows.some(({ offset, bytes }) => offset !== from || bytes !== size)) return;
    const at = (data) => whole([...data.subarray(from, from + size)]), own = (value) => BigInt.asUintN(8 * size, value);
    const results = new Map();
    let value = before && !this.array.unwritten ? at(before) : null;
    for (const row of rows) {
      const given = own(BigInt(row.value[0]) | BigInt(row.value[1]) << 32n);
      value = row.kind === STORED ? given : value === null ? null : combined(code[row.pc].disassembly, value, given);
      if (row.kind === COMBINED && value !== null) results.set(row, value = own(value));
    }
    if (after && value !== at(after)) return;
    for (const [row, result] of results) Object.assign(row, { kind: STORED, value: wordsOf(result) });
  }

  // The value of a byte, null if it is not known, undefined if nobody has stored it.
  byte(at, cursor) {
    const rows = this.stores[at], place = placeOf(this.issues[at], cursor), by = rows[place - 1] ?? null;
    const last = place === rows.length, next = rows[place]?.issue ?? Infinity;
    let value = by?.kind === STORED ? byteOf(by, at) : null;
    if (value === null && !(by && !this.array.shared)) {
      const seen = this.loads[at].find(({ issue }) => issue >= (by?.issue ?? -1) && issue <= next);
      if (seen) value = byteOf(seen, at);
    }
    if (last && this.after) value = this.after[at];
    else if (!by && value === null && this.before) value = this.before[at];
    return { value, by, last, never: !by && this.array.unwritten };
  }

  // Returns one object while nothing of the element changes.
  at(index, cursor) {
    const kept = this.kept[index], from = index * this.array.size;
    if (!kept) return this.read(index, cursor);
    const place = placeOf(this.issues[from], cursor), late = place > 0 && this.stores[from][place - 1].access >= cursor;
    return kept[2 * place + late] ??= this.read(index, cursor);
  }

  read(index, cursor) {
    const { size } = this.array;
    const parts = Array.from({ length: size }, (_, k) => this.byte(index * size + k, cursor));
    const by = parts.reduce((best, { by: one }) => one && (!best || one.issue >= best.issue) ? one : best, null);
    const state = parts.every(({ never }) => never) ? "never" : parts.some(({ value }) => value === null) ? "unknown" : "known";
    return { state, bytes: parts.map(({ value }) => value ?? 0), by, late: by !== null && by.access >= cursor,
      last: parts.every(({ last }) => last) };
  }
}

// The arrays of a launch: buffers, and variables in shared memory, {name, type, shape, count, size, address, shared, unwritten}.
export function arraysOf({ program, kernel, case: given }, buffers, cases) {
  const count = (shape) => shape.reduce((a, b) => a * b, 1), entry = kernel ?? given.entry;
  const shared = (program.kernels.find(({ name }) => name === entry)?.variables ?? []).filter(({ space }) => space === "shared");
  const size = (type) => type === "bool" ? 1 : Math.max(1, +type.match(/\d+/)[0] / 8);
  const unwritten = new Set(cases.find(({ number }) => number === given.number)?.unwritten);
  return [...buffers.filter((one) => one.count).map((one) => ({ ...one, address: Number(one.address), size: one.bytes / one.count,
    shared: false, unwritten: unwritten.has(one.name) })),
  ...shared.map(({ name, type, offset, shape }) => ({ name, type, shape, count: count(shape), address: offset, size: size(type),
    shared: true, unwritten: true }))];
}
