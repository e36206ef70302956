// The path of an access beyond L1: each line's request through L2 and DRAM and back, as bars and as a table.
import { hex, lanes, number, plural, table, wide } from "../dom.js";
import { tick } from "./frame.js";
import { t } from "../words.js";

const BEHIND = ["l2", "row", "burst", "answer", "reply"]; // kinds of events of a request
const MOST = 1 << 14; // events after an access that are searched for them
const PIECE = 1024; // events read at once
const ROW = 20, TOP = 26, LEFT = 92, EDGE = 6;

// Numbers of the events of these requests of an SM, up to their replies.
function eventsOf(record, from, sm, requests) {
  const kinds = new Map(BEHIND.map((name) => [record.kinds[name], name])), open = new Set(requests), found = [];
  for (let i = from; i < Math.min(record.count, from + MOST) && open.size; i++) {
    const kind = kinds.get(record.kind[i]);
    if (!kind || record.sm[i] !== sm || !open.has(record.number[i])) continue;
    found.push(i);
    if (kind === "reply") open.delete(record.number[i]);
  }
  return found;
}

// Reads these events, neighbours together.
async function read(client, numbers) {
  const found = [];
  for (let k = 0; k < numbers.length;) {
    const first = numbers[k], events = await client.events(first, Math.min(PIECE, numbers.at(-1) - first + 1));
    for (; k < numbers.length && numbers[k] - first < events.length; k++) found.push(events[numbers[k] - first]);
    if (!events.length) break;
  }
  return found;
}

// [{line, sectors, hits, pending, request, cycle, l2: [], row: [], burst: [], answer: [], reply: []}], a row for each line.
export async function steps(client, record, { event, lines }, access) {
  const requests = lines.map(({ request }) => request).filter((request) => request !== null);
  const events = await read(client, eventsOf(record, indexOf(record, event), event.sm, requests));
  return access.lines.map((line) => {
    const mine = events.filter(({ request }) => request === line.request && line.request !== null);
    return { ...line, ...Object.fromEntries(BEHIND.map((name) => [name, mine.filter(({ kind }) => kind === name)])) };
  });
}

// The event's number in the record: of its warp's accesses the one with its number.
function indexOf(record, event) {
  return record.of(event.block, event.warp).access.find((i) => record.number[i] === event.number) ?? 0;
}

// Splits the path of a line into spans of cycles without gaps: [{from, until, stage, words}].
export function stages({ cycle, l2: [found], row, burst, answer: [answer], reply: [reply] }) {
  if (!found) return [];
  const spans = [], last = burst.at(-1);
  let now = cycle;
  const add = (until, stage, words) => {
    if (until > now) spans.push({ from: now, until, stage, words });
    now = Math.max(now, until);
  };
  add(found.arrived, "network", t`to L2`);
  add(found.cycle, "queue", t`waits for slice ${found.slice} of L2`);
  if (last) {
    add(row[0]?.cycle ?? last.cycle, "queue", t`waits for channel ${last.channel} of DRAM`);
    add(last.until, "dram", t`channel ${last.channel}, bank ${last.bank}, row ${last.found}`);
  }
  if (!answer) return spans;
  add(answer.cycle, "l2", last ? t`L2 has it` : t`slice ${found.slice} of L2, where sectors may be in flight already`);
  add(reply?.cycle ?? answer.arrives, "network", t`back to the SM`);
  return spans;
}

const STAGES = [["network", "network", null, "n"], ["queue", t`waits for its turn`, null, "q"], ["l2", "L2", null, "2"],
  ["dram", "DRAM", null, "D"]];
const SIGN = Object.fromEntries(STAGES.map(([kind, , , sign]) => [kind, sign]));

export function barsPicture(rows, from, until, room) {
  const scale = (room - LEFT - EDGE) / Math.max(1, until - from), x = (cycle) => LEFT + (cycle - from) * scale;
  const shapes = [], every = tick(70 / scale);
  for (let cycle = Math.ceil(from / every) * every; cycle <= until; cycle += every) {
    shapes.push({ name: "path", class: "grid", d: `M${x(cycle)} 14V${TOP + rows.length * ROW}` });
    shapes.push({ name: "text", class: "middle small", x: Math.min(x(cycle), room - 20), y: 10, words: number(cycle) });
  }
  rows.forEach((line, k) => {
    const y = TOP + k * ROW;
    shapes.push({ name: "text", class: "label", x: EDGE, y: y + 12, words: hex(line.line) });
    if (line.spans.length === 0)
      shapes.push({ name: "text", class: "about", x: LEFT, y: y + 12, words: line.hits.length ? t`hit in L1` : t`in flight already` });
    for (const span of line.spans) {
      const width = (span.until - span.from) * scale;
      shapes.push({ name: "rect", class: `stage ${span.stage}`, x: x(span.from), y, width, height: ROW - 4,
        words: t`cycles ${number(span.from)} to ${number(span.until)}: ${span.words}` });
      const at = { x: x(span.from) + width / 2, y: y + 12 };
      if (width > 9) shapes.push({ name: "text", class: "middle small", ...at, words: SIGN[span.stage] });
    }
  });
  return { width: room, height: TOP + rows.length * ROW + EDGE, shapes };
}

function words(rows, access) {
  const ends = rows.flatMap(({ reply }) => reply.map(({ cycle }) => cycle)), hits = rows.every(({ l2 }) => l2.length === 0);
  if (hits) return t`No line needs L2: L1 holds them, or other requests bring them.`;
  const dram = rows.filter(({ burst }) => burst.length).length;
  const last = ends.length ? t` The last reply arrives in cycle ${number(Math.max(...ends))}, ${number(Math.max(...ends) - access.cycle)} cycles later.` : "";
  return t`From L1 in cycle ${number(access.cycle)}: ${number(rows.filter(({ l2 }) => l2.length).length)} of ${plural(rows.length, "line")} to L2, ${number(dram)} on to DRAM.${last}`;
}

const list = (events, show) => events.map(show).join("; ") || "none";

function rowOf(line) {
  const numbers = (mask) => lanes(mask).join(" ") || "none", opened = line.row.filter(({ row }) => row !== null);
  return [hex(line.line), t`cycle ${number(line.cycle)}`,
    list(line.l2, (e) => t`cycle ${number(e.cycle)}, slice ${e.slice}: sectors ${numbers(e.sectors)}, hits ${numbers(e.hits)}`),
    list(opened, (e) => t`cycle ${number(e.cycle)}, channel ${e.channel}, bank ${e.bank}: row ${e.row}`),
    list(line.burst, (e) => t`cycles ${number(e.cycle)} to ${number(e.until)}: row ${e.found}`),
    list(line.answer, (e) => t`cycle ${number(e.cycle)}`), list(line.reply, (e) => t`cycle ${number(e.cycle)}`)];
}

// Describes these rows for a frame.
export function bars(found, access) {
  const rows = found.map((line) => ({ ...line, spans: stages(line) })), all = rows.flatMap(({ spans }) => spans);
  const until = Math.max(access.cycle + 1, ...all.map((span) => span.until));
  return {
    words: words(found, access), alt: words(found, access), legend: all.length ? STAGES.map(([kind, word, doc, sign]) =>
      [`stage ${kind}`, word, doc, sign]) : null,
    picture: all.length ? (room) => barsPicture(rows, access.cycle, until, room) : null,
    table: () => wide(t`Way of each line`, table({ caption: t`Way of each line`, rows: found.map(rowOf),
      head: [t`line`, t`leaves L1`, "L2", t`DRAM opens`, t`DRAM moves`, t`L2 answers`, t`at the SM`] }))
  };
}
