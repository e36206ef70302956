// All counters of the last run by groups, with what they mean, and what each line of the kernel cost, beside those of the run
// that is kept.
import { h, number, table, wide } from "../dom.js";
import { compared, keeper, paired } from "../kept.js";
import { t } from "../words.js";

const LAUNCH = "launch";

// ---- data ----

// Metrics, {name: value}, by the first word of their names, those of the whole launch first: [{name, rows: [{name, value, unit, doc}]}], those
// that a filter finds. Each word of the filter has to be in the name, the unit or the meaning.
export function groups(metrics, rows, filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean), found = new Map();
  for (const [name, value] of Object.entries(metrics)) {
    const { unit, doc } = rows.get(name), text = `${name} ${unit} ${doc}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const group = name.includes(".") ? name.split(".")[0] : LAUNCH;
    if (!found.has(group)) found.set(group, { name: group, rows: [] });
    found.get(group).rows.push({ name, value, unit, doc });
  }
  const all = [...found.values()];
  return [...all.filter(({ name }) => name === LAUNCH), ...all.filter(({ name }) => name !== LAUNCH)];
}

// The cost of each line of the kernel's own text: [{line, issued, lanes, cycles, share, why}], by lines. `lanes` is the average
// of an instruction, `share` that of the time of all warps before they could issue here, `why` the most frequent stall reason.
export function heat({ lines, program }, stalls) {
  const rows = new Map(), all = lines.reduce((sum, { stall }) => sum + total(Object.values(stall ?? {})), 0);
  for (const { line, pc, warp_instructions: issued, lanes, stall } of lines) {
    if (program.code[pc]?.file) continue;
    const row = rows.get(line) ?? { line, issued: 0, lanes: 0, stall: stalls.map(() => 0) };
    rows.set(line, { line, issued: row.issued + issued, lanes: row.lanes + lanes,
      stall: row.stall.map((n, k) => n + (stall?.[stalls[k].name] ?? 0)) });
  }
  const used = [...rows.values()].filter(({ issued }) => issued > 0).sort((a, b) => a.line - b.line);
  return used.map(({ line, issued, lanes, stall }) => {
    const waits = stall.map((cycles, k) => ({ cycles, name: stalls[k].name })).filter(({ name }) => name !== "selected");
    const most = waits.reduce((a, b) => b.cycles > a.cycles ? b : a);
    return { line, issued, lanes: lanes / issued, cycles: total(stall), share: all ? total(stall) / all : 0,
      why: most.cycles ? most.name : null };
  });
}

const total = (list) => list.reduce((sum, n) => sum + n, 0);

// Six digits, as `heddle run --metrics` prints them.
const digits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 });
export const shown = (value) => value === null ? "-" : Number.isInteger(value) ? number(value) : digits.format(value);

// ---- the panel ----

// Makes a part whose contents are made at the first opening.
function details(title, open, inside) {
  const body = h("div"), root = h("details", { open }, h("summary", {}, title), body);
  const fill = () => root.open && !body.childElementCount && body.append(inside());
  root.addEventListener("toggle", fill);
  fill();
  return root;
}

// A difference with its sign; "" for none.
export function change(now, before) {
  if (now === before || now === null || before === null || before === undefined) return "";
  return `${now > before ? "+" : "\u2212"}${shown(Math.abs(now - before))}`;
}

function groupTable({ name, rows }, before) {
  const cells = (counter, value) => before ? [shown(before[counter] ?? null), change(value, before[counter])] : [];
  return wide(t`Counters of ${name}`, table({ caption: t`Counters of ${name}`,
    head: [t`counter`, t`value`, ...before ? [t`kept`, t`change`] : [], t`unit`, ...before ? [] : [t`meaning`]],
    rows: rows.map(({ name: counter, value, unit, doc }) =>
      [counter, shown(value), ...cells(counter, value), unit, ...before ? [] : [doc]]) }));
}

const ABOUT = t`The share of a line is that of the time of warps before it could issue: it waits there for what an earlier line began.`;

// Rows of `heat` with the text of their lines.
export function costs({ source, ...result }, stalls) {
  const text = source.split("\n");
  return heat(result, stalls).map((row) => ({ ...row, text: (text[row.line - 1] ?? "").split(";")[0].trim().replace(/\s+/g, " ") }));
}

function linesTable(result, kept, app) {
  const button = (line) => h("button", { type: "button", class: "link",
    "aria-label": t`Line ${line} in the editor`, onclick: () => app.line(line) }, String(line));
  const numbers = (row) => row ? [number(row.issued), `${(100 * row.share).toFixed(1)} %`] : ["-", "-"];
  const rows = paired(costs(result, app.words.stalls), kept ? costs(kept.result, app.words.stalls) : []);
  return wide(t`Lines`, table({ caption: t`What each line cost`,
    head: [t`line`, t`instruction`, t`issued`, t`share of time`, ...kept ? [t`kept: issued`, t`share of time`] : [], t`lanes`, t`waits mostly for`],
    rows: rows.map(([row, before]) => [row ? button(row.line) : t`gone`, h("code", {}, (row ?? before).text), ...numbers(row),
      ...kept ? numbers(before) : [], (row ?? before).lanes.toFixed(2), (row ?? before).why ?? t`nothing`]) }));
}

export function create(root, app) {
  const known = new Map(app.words.metrics.map((row) => [row.name, row])), list = h("div"), lines = h("div");
  const field = h("input", { type: "search", id: "counters-filter", placeholder: t`l1, conflict, %`,
    oninput: () => filter(app.state) });
  const count = h("output", { class: "about", for: "counters-filter" });
  const against = h("p", { class: "words" });
  root.append(keeper(app), against, h("div", { class: "tools" }, h("label", { for: "counters-filter" }, t`Find`), field, count), list, lines);
  let seen = {};

  // The kept run, unless it is the one that is shown.
  const other = ({ result, kept }) => kept && kept.result !== result ? kept : null;

  function filter(state) {
    const { result } = state, kept = other(state);
    const metrics = result?.metrics ?? {}, found = groups(metrics, known, field.value);
    list.replaceChildren(...found.map((group) => details(`${group.name} (${group.rows.length})`,
      field.value !== "" || group.name === LAUNCH, () => groupTable(group, kept?.result.metrics))));
    count.value = result ? t`${number(total(found.map(({ rows }) => rows.length)))} of ${number(Object.keys(metrics).length)} counters` : "";
  }

  return {
    update(state) {
      const { result, kept } = state;
      if (result === seen.result && kept === seen.kept && list.childElementCount) return;
      seen = { result, kept };
      against.textContent = other(state) && result?.metrics ? compared(result, kept) : "";
      filter(state);
      lines.replaceChildren();
      if (result?.metrics) lines.append(h("h3", {}, t`Lines`), h("p", { class: "about" }, ABOUT), linesTable(result, other(state), app));
      else list.replaceChildren(h("p", { class: "words" }, t`Run the kernel on a board: then its counters stand here.`));
    }
  };
}
