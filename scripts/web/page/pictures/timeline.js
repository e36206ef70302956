// The timeline of a block's, or an SM's, warps around the cursor: a row for each warp, cycles from left to right, with
// the debugger's letters (docs/debug.md); below it that of the run that is kept, over the same cycles.
import { h, number, s, table, wide } from "../dom.js";
import { keeper } from "../kept.js";
import { at } from "../record.js";
import { words } from "../program.js";
import { frame, scale, tick } from "./frame.js";
import { t } from "../words.js";

const ROW = 18, TOP = 18, LEFT = 56, EDGE = 4; // of the picture, in pixels
const LEAST = 7; // pixels of a cycle that fit a letter
const COLOURS = 7; // a second round of them is hatched
const ZOOM = { least: 16, most: 4096 }; // cycles
const ROWS = 64;

export const ISSUE = "issue";

// ---- data ----

const keyOf = ({ block, warp }) => `${block}.${warp}`;

// Lists the warps of the cursor's block, or of its SM if they begin before `until`.
export function warpsOf(record, { block, warp }, all, from, until) {
  const own = record.of(block, warp);
  const during = (row) => row.issue.length > 0 && record.cycle[row.issue[0]] < until &&
    (row.end === null || record.cycle[row.end] >= from);
  return [...record.warps.values()].filter((row) => all ? row.sm === own.sm && during(row) : row.block === block)
    .sort((a, b) => a.block - b.block || a.warp - b.warp).slice(0, ROWS);
}

// Lists a warp's states from one cycle until another: [{from, until, state, pc}], state "issue" or a stall's number.
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

// Merges adjacent spans: a warp may wait for one reason in two events.
function merged(spans) {
  const found = [];
  for (const span of spans) {
    const last = found.at(-1);
    const one = last && last.state !== ISSUE && last.state === span.state && last.until === span.from && last.pc === span.pc;
    if (one) last.until = span.until;
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

// `alone`: no other picture on the page has its patterns.
export function picture({ rows, from, until, cycle, own }, room, alone = true) {
  const scale = (room - LEFT - EDGE) / (until - from), x = (c) => LEFT + (c - from) * scale, shapes = [];
  const bottom = TOP + rows.length * ROW, every = tick(60 / scale);
  for (let c = Math.ceil(from / every) * every; c <= until; c += every) {
    shapes.push({ name: "path", class: "grid", d: `M${x(c)} ${TOP - 4}V${bottom}` });
    if (x(c) < room - 16) shapes.push({ name: "text", class: "middle small", x: x(c), y: 10, words: number(c) });
  }
  rows.forEach(({ key, spans }, k) => {
    const y = TOP + k * ROW;
    if (key === own) shapes.push({ name: "rect", class: "own", x: 0, y: y - 1, width: room, height: ROW - 1 });
    const [kind, sign] = key === own ? ["label strong", "▸ "] : ["label", ""];
    shapes.push({ name: "text", class: kind, x: EDGE, y: y + 12, words: sign + key });
    for (const span of spans) {
      const width = (span.until - span.from) * scale, kind = kindOf(span.state);
      shapes.push({ name: "rect", class: kind, x: x(span.from), y, width: Math.max(0.5, width - 0.5), height: ROW - 4,
        words: span.words, fill: kind.endsWith("hatched") ? `url(#hatch-${span.state % COLOURS + 1})` : null });
      if (width >= LEAST) shapes.push({ name: "text", class: span.state === ISSUE ? "middle small on" : "middle small",
        x: x(span.from) + width / 2, y: y + 11, words: letter(span.state) });
    }
  });
  shapes.push({ name: "path", class: "cursor", d: `M${x(cycle)} ${TOP - 4}V${bottom}` },
    { name: "path", class: "cursor head", d: `M${x(cycle) - 4} ${TOP - 9}h8l-4 6z` });
  return { width: room, height: bottom + EDGE, shapes, defs: alone ? hatches : null };
}

// Finds the row and cycle of a point of the picture.
export function place({ rows, from, until }, x, y, room) {
  const row = Math.min(rows.length - 1, Math.max(0, Math.floor((y - TOP) / ROW)));
  const cycle = Math.floor(from + (x - LEFT) / (room - LEFT - EDGE) * (until - from));
  return { row, cycle: Math.min(until - 1, Math.max(from, cycle)) };
}

const hatches = () => Array.from({ length: COLOURS }, (_, k) => s("pattern", { id: `hatch-${k + 1}`, width: 6, height: 6,
  patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
s("rect", { width: 6, height: 6, class: `stall s${k + 1}` }), s("rect", { width: 2, height: 6, class: "stripe" })));

// ---- the panel ----

const HINT = t`Click, or arrow keys: to the next cycle with an event, to another warp.`;
const cycleOf = ({ record, index }) => record.cycle[Math.min(index, record.count - 1)];
const cyclesOf = ({ record }) => record.cycle[record.count - 1] + 1; // also of a launch that a fault has ended
const named = ({ result }, pc) => t`line ${result.program.code[pc].line}: ${words({ result }, pc)}`;

class Timeline {
  constructor(root, app) {
    this.app = app;
    this.stalls = app.words.stalls;
    this.zoom = 0; // powers of two
    this.all = false;
    this.shown = null;
    this.frame = frame({ title: t`Timeline` });
    this.under = frame({ title: t`Timeline of the kept run` });
    const chart = this.frame.chart, again = (change) => () => {
      change();
      this.update(app.state);
    };
    const button = (sign, label, by) => h("button", { type: "button", "aria-label": label,
      onclick: again(() => { this.zoom = Math.max(-3, Math.min(6, this.zoom + by)); }) }, sign);
    const whole = h("input", { type: "checkbox", id: "timeline-sm", onchange: again(() => { this.all = whole.checked; }) });
    root.append(h("div", { class: "tools" }, button("−", t`Show twice the cycles`, 1), button("+", t`Show half the cycles`, -1),
      h("label", { for: "timeline-sm" }, whole, t` all warps of the SM`), h("span", { class: "about" }, HINT)), keeper(app), this.frame.root, this.under.root);
    chart.addEventListener("click", (event) => this.click(event));
    chart.addEventListener("keydown", (event) => this.press(event));
  }

  nameOf(state) { return state === ISSUE ? ISSUE : this.stalls[state]?.name ?? "unknown"; }

  // Computes the visible part for the room.
  view(state, room) {
    const { at: cursor } = state, cycle = cycleOf(state);
    const cycles = Math.round(Math.min(ZOOM.most, Math.max(ZOOM.least, (room - LEFT - EDGE) / LEAST * 2 ** this.zoom)));
    const { from, until } = windowOf(cycle, cycles, cyclesOf(state));
    return { from, until, rows: this.rows(state, from, until), cycle, own: keyOf(cursor), room };
  }

  rows(run, from, until) {
    const { record, at: cursor } = run;
    const said = (span) => t`cycles ${number(span.from)} to ${number(span.until - 1)}: ${this.nameOf(span.state)}, ${named(run, span.pc)}`;
    return warpsOf(record, cursor, this.all, from, until).map((row) => ({ ...row, key: keyOf(row),
      spans: spansOf(record, row, from, until).map((span) => ({ ...span, words: said(span) })) }));
  }

  // The kept run over the cycles that are shown, at the warp of the cursor, or at its own where it has none of that name.
  showKept({ kept, at: cursor, result }) {
    this.under.root.hidden = !kept || kept.result === result;
    if (this.under.root.hidden) return;
    const run = { ...kept, at: kept.record.of(cursor.block, cursor.warp) ? cursor : kept.at };
    const view = () => ({ ...this.shown, rows: this.rows(run, this.shown.from, this.shown.until), own: keyOf(run.at) });
    const { title } = kept, alt = t`What each warp of the kept run does in the same cycles: ${title}`;
    this.under.show({ words: t`${title}, over the same cycles.`, alt, table: () => this.table(run, view().rows),
      picture: (room) => picture(view(), room, false) });
    this.under.root.hidden = false;
  }

  sentence(state) {
    const { rows, own, cycle } = this.shown;
    const now = rows.find(({ key }) => key === own)?.spans.find(({ from, until }) => from <= cycle && cycle < until);
    const does = now ? `${this.nameOf(now.state)}, ${named(state, now.pc)}` : t`it has ended or not begun`;
    return t`Cycle ${number(cycle)}, warp ${own}: ${does}.`;
  }

  legend() {
    const used = new Set(this.shown.rows.flatMap(({ spans }) => spans.map(({ state }) => state)));
    return [ISSUE, ...this.stalls.keys()].filter((state) => used.has(state)).map((state) => [kindOf(state), this.nameOf(state),
      state === ISSUE ? t`an instruction issues` : this.stalls[state].doc, letter(state)]);
  }

  table(run, warps) {
    const rows = warps.flatMap(({ key, spans }) => spans.map((span) =>
      [key, span.from, span.until - 1, letter(span.state), this.nameOf(span.state), named(run, span.pc)]));
    return wide(t`Timeline`, table({ caption: t`What each warp does, from cycle to cycle`, rows,
      head: ["warp", "from", "to", "sign", "what", "instruction"] }));
  }

  update(state) {
    const { chart } = this.frame;
    if (!state.record?.issues.length) {
      this.shown = null;
      this.under.root.hidden = true;
      chart.removeAttribute("tabindex");
      return this.frame.show({ words: t`Run the kernel on a board: then each warp has a row here.` });
    }
    this.shown = this.view(state, this.frame.room());
    this.frame.show({ words: this.sentence(state), legend: this.legend(), table: () => this.table(this.app.state, this.shown.rows),
      picture: (room) => picture(this.shown = this.view(this.app.state, room), room) });
    const given = { role: "slider", tabindex: 0, "aria-label": t`Cycle and warp of the timeline`, "aria-valuemin": 0,
      "aria-valuemax": cyclesOf(state) - 1, "aria-valuenow": this.shown.cycle, "aria-valuetext": this.sentence(state) };
    for (const [key, value] of Object.entries(given)) chart.setAttribute(key, value);
    this.showKept(state);
  }

  go(cycle, row) {
    const { state } = this.app, { block, warp } = this.shown.rows[row] ?? state.at;
    return this.app.move({ index: at(state.record.cycle, cycle), block, warp });
  }

  click({ clientX, clientY }) {
    if (!this.shown) return;
    const box = this.frame.chart.getBoundingClientRect();
    const { cycle, row } = place(this.shown, (clientX - box.left) / scale(), (clientY - box.top) / scale(), this.shown.room);
    this.go(cycle, row);
  }

  press(event) {
    if (!this.shown || event.ctrlKey || event.altKey || event.metaKey) return;
    const { rows, own, cycle, from, until } = this.shown, { record } = this.app.state;
    const row = rows.findIndex(({ key }) => key === own), before = at(record.cycle, cycle) - 1;
    const to = {
      ArrowRight: [cycle + 1, row], ArrowLeft: [before < 0 ? 0 : record.cycle[before], row], ArrowUp: [cycle, Math.max(0, row - 1)],
      ArrowDown: [cycle, Math.min(row + 1, rows.length - 1)], PageDown: [until, row], PageUp: [Math.max(0, 2 * from - until), row]
    }[event.key];
    if (!to) return;
    event.preventDefault();
    this.go(...to);
  }
}

export function create(root, app) {
  const timeline = new Timeline(root, app);
  return { update: (state) => timeline.update(state) };
}
