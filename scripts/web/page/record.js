// The events of a launch in short: those for steps and pictures, in columns, and each warp's events of a kind.
//
//   const record = await readRecord(client, result.events, words, (share) => ...);
//   record.next(0, 3, index)          the issue of warp 0.3 at or after an event; -1 = none
//   record.issues                     the issues of all warps, numbers of events
//
// The state of a warp at event i is the result of events before i: an issue at i is its next one.

const PAGE = 16_384; // events
const LATE = 4096; // cycles after an access within which its lines arrive
const COLUMNS = {
  kind: Uint8Array, sm: Uint16Array, reason: Uint8Array, warp: Uint16Array, block: Uint32Array, pc: Uint32Array,
  cycle: Uint32Array, until: Uint32Array, number: Uint32Array
};
const NONE = 0xffffffff, NO_WARP = 0xffff;

// Finds the first place in a sorted list whose value is not below `value`.
export function at(list, value) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Places of the first words of a row (heddle.js); the numbers of an event follow, by the fields of its kind.
const HEAD = { kind: 0, cycle: 1, sm: 2, block: 3, warp: 4, pc: 5 };
const FIRST = Object.keys(HEAD).length;
const FIELDS = { reason: ["reason"], until: ["until"], number: ["access", "number", "request"] }; // the first that a kind has

// Rows of events as columns. The worker does this: columns are handed over at once, objects one by one.
export function columns({ width, words }, { kinds }) {
  const count = words.length / width, found = {};
  for (const [name, Type] of Object.entries(COLUMNS)) {
    const column = found[name] = new Type(count);
    const places = FIELDS[name] && kinds.map(({ fields }) => fields.indexOf(FIELDS[name].find((field) => fields.includes(field))));
    for (let i = 0; i < count; i++) {
      const place = places ? places[words[i * width]] : HEAD[name] - FIRST;
      column[i] = places && place < 0 ? NONE : words[i * width + FIRST + place];
    }
  }
  return found;
}

export class Record {
  constructor(count, kinds) {
    this.count = 0;
    this.kinds = Object.fromEntries(kinds.map(({ name }, i) => [name, i]));
    for (const [name, Type] of Object.entries(COLUMNS)) this[name] = new Type(count);
    this.warps = new Map(); // "0.3" -> {block, warp, sm, first, issue: [], access: [], barrier: [], wait: [], end}
    this.lists = new Map(["issue", "access", "barrier", "wait"].map((name) => [this.kinds[name], name]));
    this.issues = [];
    this.arrivals = []; // events of lines
  }

  add(part) {
    const from = this.count;
    for (const name of Object.keys(COLUMNS)) this[name].set(part[name], from);
    this.count += part.kind.length;
    for (let i = from; i < this.count; i++) {
      if (this.kind[i] === this.kinds.line) this.arrivals.push(i);
      if (this.warp[i] !== NO_WARP) this.sort(i);
    }
  }

  // Puts an event of a warp into the warp's lists.
  sort(i) {
    const block = this.block[i], warp = this.warp[i], key = `${block}.${warp}`, list = this.lists.get(this.kind[i]);
    if (!this.warps.has(key))
      this.warps.set(key,
        { block, warp, sm: this.sm[i], first: i, issue: [], access: [], barrier: [], wait: [], end: null });
    const row = this.warps.get(key);
    if (list) row[list].push(i);
    if (list === "issue") this.issues.push(i);
    else if (this.kind[i] === this.kinds.end) row.end = i;
  }

  of(block, warp) { return this.warps.get(`${block}.${warp}`); }

  next(block, warp, index) {
    const { issue } = this.of(block, warp), place = at(issue, index);
    return issue[place] ?? -1;
  }

  previous(block, warp, index) {
    const { issue } = this.of(block, warp), place = at(issue, index);
    return place ? issue[place - 1] : -1;
  }

  // Returns the place after a warp's last event: the end, if the warp's was not recorded.
  behind(block, warp) {
    const { end } = this.of(block, warp);
    return end === null ? this.count : end + 1;
  }

  // Finds the next barrier of a warp after its issue at `index`: the issue of that instruction; -1 = none.
  barrier(block, warp, index) {
    const { barrier } = this.of(block, warp);
    for (let place = at(barrier, index); place < barrier.length; place++) {
      const issue = this.previous(block, warp, barrier[place] + 1);
      if (issue > index) return issue;
    }
    return -1;
  }

  // Finds the next issue of a warp after `index` of one of these instructions.
  reaches(block, warp, index, pcs) {
    const { issue } = this.of(block, warp);
    for (let place = at(issue, index + 1); place < issue.length; place++)
      if (pcs.has(this.pc[issue[place]])) return issue[place];
    return -1;
  }

  // The instruction that a fault names, as {index, block, warp}: the last of a warp that has not ended; null: not recorded.
  faulting({ warp, line }, code) {
    for (const row of this.warps.values()) {
      const last = row.issue.at(-1);
      if (row.warp === warp && row.end === null && last !== undefined && code[this.pc[last]]?.line === line)
        return { index: last, block: row.block, warp };
    }
    return null;
  }

  // The last access of a warp before an event; -1: there is none.
  access(block, warp, index) {
    const { access } = this.of(block, warp), place = at(access, index);
    return place ? access[place - 1] : -1;
  }

  // The events of the lines of an access, which follow it.
  lines(access) {
    const { arrivals, sm, number, cycle } = this, found = [];
    for (let k = at(arrivals, access + 1); k < arrivals.length && cycle[arrivals[k]] <= cycle[access] + LATE; k++)
      if (number[arrivals[k]] === number[access] && sm[arrivals[k]] === sm[access]) found.push(arrivals[k]);
    return found;
  }
}

// Reads all events of the last run. Calls `tell` with the share done.
export async function readRecord(client, count, { kinds }, tell = () => {}) {
  const record = new Record(count, kinds);
  while (record.count < count) {
    const part = await client.columns(record.count, Math.min(PAGE, count - record.count));
    if (!part.kind.length) break;
    record.add(part);
    tell(record.count / count);
  }
  return record;
}
