// What the warps of a block, or of an SM, do around the cursor: a row for each warp, cycles from left to right, with the
// debugger's letters (docs/debug.md).
import { h, number, s, table, wide } from "../dom.js";
import { at } from "../record.js";
import { words } from "../program.js";
import { frame, tick } from "./frame.js";

const ROW = 18, TOP = 18, LEFT = 56, EDGE = 4; // of the picture, in pixels
const LEAST = 7; // pixels of a cycle in which a letter has room
const COLOURS = 7; // a second round of them is hatched
const ZOOM = { least: 16, most: 4096 }; // cycles
const ROWS = 64;

export const ISSUE = "issue";

// ---- data ----

const keyOf = ({ block, warp }) => `${block}.${warp}`;

// The warps of the cursor's block, or of its SM while `until` has not come before them.
export function warpsOf(record, { block, warp }, all, from, until) {
  const own = record.of(block, warp);
  const during = (row) => row.issue.length > 0 && record.cycle[row.issue[0]] < until &&
    (row.end === null || record.cycle[row.end] >= from);
  return [...record.warps.values()].filter((row) => all ? row.sm === own.sm && during(row) : row.block === block)
    .sort((a, b) => a.block - b.block || a.warp - b.warp).slice(0, ROWS);
}

// What a warp does from one cycle until another: [{from, until, state, pc}], state "issue" or the number of a stall reason.
export function spansOf(record, row, from, until) {
  const first = (list) => {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (record.cycle[list[middle]] < from) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const found = [], add = (i, end, state) => {
    const start = Math.max(from, record.cycle[i]), stop = Math.min(until, end);
    if (stop > start) found.push({ from: start, until: stop, state, pc: record.pc[i] });
  };
  for (let k = Math.max(0, first(row.wait) - 1); k < row.wait.length && record.cycle[row.wait[k]] < until; k++)
    add(row.wait[k], record.until[row.wait[k]], record.reason[row.wait[k]]);
  for (let k = first(row.issue); k < row.issue.length && record.cycle[row.issue[k]] < until; k++)
    add(row.issue[k], record.cycle[row.issue[k]] + 1, ISSUE);
  return merged(found.sort((a, b) => a.from - b.from));
}

// A warp may wait for one reason in two events, one behind the other.
function merged(spans) {
  const found = [];
  for (const span of spans) {
    const last = found.at(-1);
    if (last && last.state !== ISSUE && last.state === span.state && last.until === span.from && last.pc === span.pc) last.until = span.until;
    else found.push(span);
  }
  return found;
}

// The debugger's letters.
export const letter = (state) => state === ISSUE ? "#" : String.fromCharCode(97 + state % 26);
export const kindOf = (state) => state === ISSUE ? "issue" : `stall s${state % COLOURS + 1}${state >= COLOURS ? " hatched" : ""}`;

// The span of cycles that is shown: it moves by halves, so that most steps leave it where it is.
export function windowOf(cycle, span, cycles) {
  const half = Math.max(1, Math.floor(span / 2));
  const from = Math.max(0, Math.min(Math.floor((cycle - half / 2) / half) * half, cycles - span + half));
  return { from, until: from + span };
}

// ---- geometry ----

export function picture({ rows, from, until, cycle, own }, room) {
  const scale = (room - LEFT - EDGE) / (until - from), x = (c) => LEFT + (c - from) * scale, shapes = [];
  const bottom = TOP + rows.length * ROW, every = tick(60 / scale);
  for (let c = Math.ceil(from / every) * every; c <= until; c += every) {
    shapes.push({ name: "path", class: "grid", d: `M${x(c)} ${TOP - 4}V${bottom}` });
    if (x(c) < room - 16) shapes.push({ name: "text", class: "middle small", x: x(c), y: 10, words: number(c) });
  }
  rows.forEach(({ key, spans }, k) => {
    const y = TOP + k * ROW;
    if (key === own) shapes.push({ name: "rect", class: "own", x: 0, y: y - 1, width: room, height: ROW - 1 });
    shapes.push({ name: "text", class: key === own ? "label strong" : "label", x: EDGE, y: y + 12, words: key === own ? `▸ ${key}` : key });
    for (const span of spans) {
      const width = (span.until - span.from) * scale, kind = kindOf(span.state);
      shapes.push({ name: "rect", class: kind, x: x(span.from), y, width: Math.max(0.5, width - 0.5), height: ROW - 4, words: span.words,
        fill: kind.endsWith("hatched") ? `url(#hatch-${span.state % COLOURS + 1})` : null });
      if (width >= LEAST) shapes.push({ name: "text", class: span.state === ISSUE ? "middle small on" : "middle small",
        x: x(span.from) + width / 2, y: y + 11, words: letter(span.state) });
    }
  });
  shapes.push({ name: "path", class: "cursor", d: `M${x(cycle)} ${TOP - 4}V${bottom}` },
    { name: "path", class: "cursor head", d: `M${x(cycle) - 4} ${TOP - 9}h8l-4 6z` });
  return { width: room, height: bottom + EDGE, shapes, defs: hatches };
}

// Where a point of the picture is.
export function place({ rows, from, until }, x, y, room) {
  const row = Math.min(rows.length - 1, Math.max(0, Math.floor((y - TOP) / ROW)));
  const cycle = Math.floor(from + (x - LEFT) / (room - LEFT - EDGE) * (until - from));
  return { row, cycle: Math.min(until - 1, Math.max(from, cycle)) };
}

const hatches = () => Array.from({ length: COLOURS }, (_, k) => s("pattern", { id: `hatch-${k + 1}`, width: 6, height: 6,
  patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
s("rect", { width: 6, height: 6, class: `stall s${k + 1}` }), s("rect", { width: 2, height: 6, class: "stripe" })));

// ---- the panel ----

export function create(root, app) {
  const stalls = app.words.stalls, one = frame({ title: "Timeline" });
  const nameOf = (state) => state === ISSUE ? ISSUE : stalls[state]?.name ?? "unknown";
  let zoom = 0, all = false, shown = null;

  const say = h("output", { class: "about", "aria-live": "off" });
  const button = (words, label, onclick) => h("button", { type: "button", "aria-label": label, onclick }, words);
  const whole = h("input", { type: "checkbox", id: "timeline-sm", onchange: () => { all = whole.checked; update(app.state); } });
  root.append(h("div", { class: "tools" },
    button("−", "Show twice the cycles", () => { zoom = Math.min(zoom + 1, 6); update(app.state); }),
    button("+", "Show half the cycles", () => { zoom = Math.max(zoom - 1, -3); update(app.state); }),
    h("label", { for: "timeline-sm" }, whole, " all warps of the SM"), say), one.root);

  const named = ({ result }, pc) => `line ${result.program.code[pc].line}: ${words({ result }, pc)}`;
  const spanAt = (room) => Math.round(Math.min(ZOOM.most, Math.max(ZOOM.least, (room - LEFT - EDGE) / LEAST * 2 ** zoom)));
  const cycleOf = ({ record, index }) => record.cycle[Math.min(index, record.count - 1)];
  const cyclesOf = ({ record }) => record.cycle[record.count - 1] + 1; // also of a launch that a fault has ended

  // What there is to see with so much room.
  function view(state, room) {
    const { record, at: cursor } = state, cycle = cycleOf(state), span = windowOf(cycle, spanAt(room), cyclesOf(state));
    const rows = warpsOf(record, cursor, all, span.from, span.until).map((row) => ({ ...row, key: keyOf(row),
      spans: spansOf(record, row, span.from, span.until).map((one) => ({ ...one, words:
        `cycles ${number(one.from)} to ${number(one.until - 1)}: ${nameOf(one.state)}, ${named(state, one.pc)}` })) }));
    return { ...span, rows, cycle, own: keyOf(cursor), room };
  }

  function sentence(state) {
    const own = shown.rows.find(({ key }) => key === shown.own);
    const now = own?.spans.find(({ from, until }) => from <= shown.cycle && shown.cycle < until);
    return `Cycle ${number(shown.cycle)}, warp ${shown.own}: ${now ? `${nameOf(now.state)}, ${named(state, now.pc)}` :
      "it has ended or not begun"}.`;
  }

  function rowsOf() {
    return shown.rows.flatMap(({ key, spans }) => spans.map((span) =>
      [key, span.from, span.until - 1, letter(span.state), nameOf(span.state), named(app.state, span.pc)]));
  }

  function update(state) {
    if (!state.record || !state.record.issues.length) {
      one.chart.removeAttribute("tabindex");
      return one.show({ words: "Run the kernel on a board: then each warp has a row here." });
    }
    shown = view(state, one.chart.clientWidth || 600);
    const used = [...new Set(shown.rows.flatMap(({ spans }) => spans.map((span) => span.state)))]
      .sort((a, b) => (a === ISSUE ? -1 : a) - (b === ISSUE ? -1 : b));
    one.show({
      words: sentence(state),
      legend: used.map((kind) => [kindOf(kind), nameOf(kind), kind === ISSUE ? "an instruction issues" : stalls[kind].doc, letter(kind)]),
      picture: (room) => picture(shown = view(app.state, room), room),
      table: () => wide("Timeline", table({ caption: "What each warp does, from cycle to cycle", head: ["warp", "from", "to", "sign",
        "what", "instruction"], rows: rowsOf() }))
    });
    const { chart } = one;
    for (const [key, value] of Object.entries({ role: "slider", tabindex: 0, "aria-label": "Cycle and warp of the timeline",
      "aria-valuemin": 0, "aria-valuemax": cyclesOf(state) - 1, "aria-valuenow": shown.cycle, "aria-valuetext": sentence(state) }))
      chart.setAttribute(key, value);
    say.value = "Click, or arrow keys: to the next cycle in which something happens, to another warp.";
  }

  // ---- by pointer and keys ----

  const go = (cycle, row) => {
    const { record } = app.state, { block, warp } = shown.rows[row] ?? app.state.at;
    return app.move({ index: at(record.cycle, cycle), block, warp });
  };
  one.chart.addEventListener("click", (event) => {
    if (!shown || !app.state.record) return;
    const box = one.chart.getBoundingClientRect(), to = place(shown, event.clientX - box.left, event.clientY - box.top, shown.room);
    go(to.cycle, to.row);
  });
  one.chart.addEventListener("keydown", (event) => {
    const { record } = app.state, row = shown?.rows.findIndex(({ key }) => key === shown.own);
    if (!record || !shown) return;
    const before = at(record.cycle, shown.cycle) - 1;
    const moves = {
      ArrowRight: () => go(shown.cycle + 1, row), ArrowLeft: () => before >= 0 && go(record.cycle[before], row),
      ArrowDown: () => go(shown.cycle, Math.min(row + 1, shown.rows.length - 1)), ArrowUp: () => go(shown.cycle, Math.max(0, row - 1)),
      PageDown: () => go(shown.until, row), PageUp: () => go(Math.max(0, 2 * shown.from - shown.until), row)
    };
    const move = !event.ctrlKey && !event.altKey && !event.metaKey && moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  });

  return { update };
}
