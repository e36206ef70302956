// All counters of the last run by groups, with what they mean, and what each line of the kernel cost.
import { h, number, table, wide } from "../dom.js";

const LAUNCH = "launch";

// ---- data ----

// Metrics by the first word of their names, those of the whole launch first: [{name, rows: [{name, value, unit, doc}]}], those
// that a filter finds. Each word of the filter has to be in the name, the unit or the meaning.
export function groups(metrics, docs, filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean), found = new Map();
  for (const { name, unit, value } of metrics) {
    const doc = docs.get(name) ?? "", text = `${name} ${unit} ${doc}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const group = name.includes(".") ? name.split(".")[0] : LAUNCH;
    if (!found.has(group)) found.set(group, { name: group, rows: [] });
    found.get(group).rows.push({ name, value, unit, doc });
  }
  const all = [...found.values()];
  return [...all.filter(({ name }) => name === LAUNCH), ...all.filter(({ name }) => name !== LAUNCH)];
}

// What each line of the kernel's own text cost: [{line, issued, lanes, cycles, share, why}], by lines. `lanes` is the average
// of an instruction, `share` that of the time of all warps before they could issue here, `why` the most frequent stall reason.
export function heat({ lines, program }, stalls) {
  const rows = new Map(), all = lines.reduce((sum, { stall }) => sum + total(stall), 0);
  for (const { line, pc, issued, lanes, stall } of lines) {
    if (program.code[pc]?.file) continue;
    const row = rows.get(line) ?? { line, issued: 0, lanes: 0, stall: stalls.map(() => 0) };
    rows.set(line, { line, issued: row.issued + issued, lanes: row.lanes + lanes, stall: row.stall.map((n, k) => n + (stall[k] ?? 0)) });
  }
  return [...rows.values()].filter(({ issued }) => issued > 0).sort((a, b) => a.line - b.line).map(({ line, issued, lanes, stall }) => {
    const waits = stall.map((cycles, k) => ({ cycles, name: stalls[k].name })).filter(({ name }) => name !== "selected");
    const most = waits.reduce((a, b) => b.cycles > a.cycles ? b : a);
    return { line, issued, lanes: lanes / issued, cycles: total(stall), share: all ? total(stall) / all : 0, why: most.cycles ? most.name : null };
  });
}

const total = (list) => list.reduce((sum, n) => sum + n, 0);

// Six digits, as `heddle run --metrics` prints them.
const digits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 });
export const shown = (value) => value === null ? "-" : Number.isInteger(value) ? number(value) : digits.format(value);

// ---- the panel ----

export function create(root, app) {
  const docs = new Map(app.words.metrics.map(({ name, doc }) => [name, doc])), open = new Set([LAUNCH]);
  const field = h("input", { type: "search", id: "counters-filter", placeholder: "l1, conflict, %", oninput: () => list(app.state) });
  const count = h("output", { class: "about", for: "counters-filter" }), groupsRoot = h("div"), linesRoot = h("div");
  root.append(h("div", { class: "tools" }, h("label", { for: "counters-filter" }, "Find "), field, count), groupsRoot, linesRoot);
  let seen = null;

  function one({ name, rows }, all) {
    const body = h("div"), details = h("details", { open: all || open.has(name) }, h("summary", {}, `${name} (${rows.length})`), body);
    const fill = () => details.open && !body.childElementCount && body.append(wide(`Counters of ${name}`, table({
      head: ["counter", "value", "unit", "meaning"], caption: `Counters of ${name}`,
      rows: rows.map((row) => [row.name, shown(row.value), row.unit, row.doc]) })));
    details.addEventListener("toggle", () => {
      if (!field.value) open[details.open ? "add" : "delete"](name);
      fill();
    });
    fill();
    return details;
  }

  function list({ result }) {
    const found = groups(result?.metrics ?? [], docs, field.value), some = total(found.map(({ rows }) => rows.length));
    groupsRoot.replaceChildren(...found.map((group) => one(group, field.value !== "")));
    count.value = result ? ` ${number(some)} of ${number(result.metrics?.length ?? 0)} counters` : "";
  }

  const head = ["line", "instruction", "issued", "lanes", "share of time", "waits mostly for"];
  function lines({ result }) {
    const text = result.source.split("\n"), rows = heat(result, app.words.stalls);
    const go = (line) => h("button", { type: "button", "aria-label": `Line ${line} in the editor`, onclick: () => app.line(line) }, String(line));
    linesRoot.replaceChildren(h("h3", {}, "Lines"), h("p", { class: "about" }, "The share of a line is that of the time of warps " +
      "before it could issue: it waits there for what an earlier line began."), wide("Lines", table({ caption: "What each line cost", head,
      rows: rows.map((row) => [go(row.line), h("code", {}, (text[row.line - 1] ?? "").trim()), number(row.issued), row.lanes.toFixed(2),
        `${(100 * row.share).toFixed(1)} %`, row.why ?? "nothing"]) })));
  }

  return {
    update(state) {
      if (state.result === seen && groupsRoot.childElementCount) return;
      seen = state.result;
      list(state);
      if (!seen?.metrics) {
        groupsRoot.replaceChildren(h("p", { class: "words" }, "Run the kernel on a board: then its counters stand here."));
        linesRoot.replaceChildren();
      } else lines(state);
    }
  };
}
