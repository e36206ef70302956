// Errors of the kernel and of its last run, in heddle's own words: as a list, and as marks in the editor.
import { h, number, plural } from "./dom.js";
import { diagnostics } from "./diagnostics.js";
import { foreign, html } from "./language.js";
import { reported, t } from "./words.js";

// Formats a finding of a checker as a message.
function finding({ class: name, text, where, count, places }) {
  const first = places[0], at = (p) => t`line ${p.line}: ${p.how}, block (${p.block.join(", ")}), warp ${p.warp}, lane ${p.lane}`;
  return { severity: "warning", file: first?.file ?? null, line: first?.line ?? null, column: null, width: 1,
    message: `${name}: ${text}${count > 1 ? t` (${count} times)` : ""}`, detail: [where, ...places.map(at)] };
}

// Lists the problems of the present text, and of the run. A text with errors was not run: its message is shown once.
export function problems({ program, result, refused, name }) {
  const own = (row) => ({ ...row, file: row.file === name ? null : row.file });
  const text = program ? [...diagnostics(program.error), ...diagnostics(program.lint)] : [];
  const found = (result?.findings ?? []).filter(({ kind }) => !(result.fault && kind === "mem")); // the fault's own
  const run = [...program?.error ? [] : diagnostics(refused), ...diagnostics(result?.error),
    ...diagnostics(result?.expectations.text), ...found.map(finding)];
  return { text: text.map(own), run: run.map(own) };
}

const UNKNOWN = /^unknown instruction '([^']*)'|^an instruction outside a kernel/;
const COMMAND = t`; 'heddle doc isa' lists them all`;

// Explains words of another language in the line of an unknown instruction, or leads to those of heddle.
function meant(app, { line, message }) {
  const [unknown, word] = message.match(UNKNOWN) ?? [];
  if (unknown === undefined) return null;
  const rows = foreign(app.reference, app.text().split("\n")[line - 1] ?? "");
  if (!rows.length && !word) return null;
  const language = h("button", { type: "button", class: "link", onclick: () => app.find(word.split(".")[0]) }, t`Language`);
  return rows.length ? h("ul", { class: "foreign" }, rows.map(([name, { doc }]) => h("li", {}, h("code", {}, name), t` in heddle: `, html("span", doc))))
    : h("p", { class: "about" }, language, t` has all instructions.`);
}

function entry(app, row) {
  const text = t`line ${row.line}`, go = () => app.editor.goto(row);
  const where = !row.line ? [] : row.file ? [`${row.file}, ${text}: `]
    : [h("button", { type: "button", class: "link", onclick: go }, text), ": "];
  return h("li", { class: row.severity }, h("b", {}, row.severity), " ", where, row.message.replace(COMMAND, ""),
    row.file ? null : meant(app, row), row.detail.length ? h("pre", {}, row.detail.join("\n")) : null);
}

const list = (title, rows, app) =>
  rows.length ? [h("h3", {}, title), h("ul", { class: "problem-list" }, rows.map((row) => entry(app, row)))] : [];

// Formats what bounds the time of the run, and what would help.
const bound = ({ limiter, hint }) => limiter
  ? [h("h3", {}, t`What bounds the run`), h("p", {}, reported(limiter)), hint ? h("p", {}, h("b", {}, t`Advice: `), reported(hint)) : null] : [];

export function create(root, app) {
  const show = (state) => {
    const { text, run } = problems(state), fine = t`No problem: the kernel assembles${state.result ? t` and has run` : ""}.`;
    const title = state.stale ? t`The last run, of an earlier text` : t`The run`;
    const all = [...list(t`The kernel`, text, app), ...list(title, run, app)];
    if (!all.length) all.push(h("p", { class: "quiet" }, state.program ? fine : ""));
    root.replaceChildren(...all, ...state.result && !state.stale ? bound(state.result).filter(Boolean) : []);
  };
  const mark = (state) => {
    const { text, run } = problems(state), shown = [...text, ...state.stale ? [] : run];
    app.editor.diagnose(shown.filter(({ file, line }) => file === null && line));
    const count = text.length + run.length;
    app.panels?.mark("problems", count, count === 1 ? "problem" : "problems");
    if (app.panels?.id === "problems") show(state);
  };
  for (const event of ["look", "run"]) app.on(event, mark);
  app.on("refused", () => app.open("problems"));
  return { update: show };
}

// True if a run has failed. A case may expect a fault.
export function failed({ result, refused }) {
  if (!result) return Boolean(refused);
  const { fault, expectations: { total, met } } = result;
  return met < total || Boolean(fault && !total);
}

function expected({ fault, error, expectations: { total, met } }) {
  if (fault) return `${total && met === total ? t`Fault, as expected` : t`Fault`}: ${diagnostics(error)[0].message}`;
  return total ? t`${met} of ${plural(total, "expectation")} met` : t`nothing is expected of its results`;
}

// A sentence about a run that has ended.
export function verdict({ result, refused, board }, ideals = []) {
  if (refused) return t`Not run: ${diagnostics(refused)[0]?.message ?? refused}`;
  if (!result) return "";
  const { cycles, warp_instructions: instructions, findings, fault, complete, without } = result;
  const left = ideals.filter(({ name }) => without?.includes(name)).map(({ title }) => title).join(", ");
  const time = cycles === undefined ? "" : t`${plural(cycles, "cycle")} on ${board.name}${board.edited ? t`, edited` : ""}${left ? t` without ${left}` : ""}, `;
  const count = instructions === undefined ? "" : t`${plural(instructions, "instruction")} of warps; `;
  const found = findings?.length && !fault ? t`; ${plural(findings.length, "finding")} of the checkers` : "";
  const cut = complete === undefined ? "" : t` Recorded up to cycle ${number(complete)}: the rest had no room.`;
  return `${time}${count}${expected(result)}${found}.${cut}`;
}
