// What is wrong with the kernel and with its last run, in heddle's own words: as a list, and as marks in the editor.
import { h, plural } from "./dom.js";
import { diagnostics } from "./diagnostics.js";

const finding = (row) => ({ severity: "warning", file: row.places[0]?.file ?? null, line: row.places[0]?.line ?? null, column: null, width: 1,
  message: `${row.name}: ${row.text}${row.count > 1 ? ` (${row.count} times)` : ""}`,
  detail: [row.where, ...row.places.map((p) => `line ${p.line}: ${p.how}, block (${p.block.join(", ")}), warp ${p.warp}, lane ${p.lane}`)] });

// Of the text as it stands, and of the run. A text that does not assemble was not run: its message stands once.
export function problems({ program, result, refused, name }) {
  const own = (row) => ({ ...row, file: row.file === name ? null : row.file });
  const text = program ? [...diagnostics(program.error), ...diagnostics(program.lint)] : [];
  const run = [...program?.error ? [] : diagnostics(refused), ...diagnostics(result?.error), ...diagnostics(result?.expectations.text),
    ...(result?.findings ?? []).filter(({ kind }) => !(result.fault && kind === "mem")).map(finding)];
  return { text: text.map(own), run: run.map(own) };
}

function entry(app, row) {
  const where = row.line ? `${row.file ? `${row.file}, ` : ""}line ${row.line}` : null;
  return h("li", { class: row.severity },
    h("b", {}, row.severity), " ",
    where && !row.file ? h("button", { type: "button", class: "link", onclick: () => app.editor.goto(row) }, where) : where,
    where ? ": " : "", row.message, row.detail.length ? h("pre", {}, row.detail.join("\n")) : null);
}

export function create(root, app) {
  const show = (state) => {
    const { text, run } = problems(state), all = [...text, ...run];
    const list = (title, rows) => rows.length ? [h("h3", {}, title), h("ul", { class: "problem-list" }, rows.map((row) => entry(app, row)))] : [];
    root.replaceChildren(...all.length ? [...list("The kernel", text), ...list(state.stale ? "The last run, of an earlier text" : "The run", run)]
      : [h("p", { class: "quiet" }, state.program ? `No problem: the kernel assembles${state.result ? " and has run" : ""}.` : "")]);
  };
  const mark = (state) => {
    const { text, run } = problems(state), shown = [...text, ...state.stale ? [] : run];
    app.editor.diagnose(shown.filter(({ file, line }) => file === null && line));
    app.panels?.mark("problems", text.length + run.length, text.length + run.length === 1 ? "problem" : "problems");
    if (app.panels?.id === "problems") show(state);
  };
  for (const event of ["look", "run"]) app.on(event, mark);
  app.on("refused", () => app.open("problems"));
  return { update: show };
}

// Whether a run has not done what it should.
export const failed = ({ result, refused }) => Boolean(refused || result?.fault || result && result.expectations.met < result.expectations.total);

// A sentence about a run that has ended.
export function verdict({ result, refused, board }) {
  if (refused) return `Not run: ${diagnostics(refused)[0]?.message ?? refused}`;
  if (!result) return "";
  const { total, met } = result.expectations;
  const expected = result.fault ? `Fault: ${diagnostics(result.error)[0].message}`
    : total ? `${met} of ${plural(total, "expectation")} met` : "nothing is expected of its results";
  const findings = result.findings?.length && !result.fault ? `; ${plural(result.findings.length, "finding")} of the checkers` : "";
  const time = result.cycles === undefined ? "" : `${plural(result.cycles, "cycle")} on ${board.name}${board.edited ? ", edited" : ""}, `;
  const count = result.warp_instructions === undefined ? "" : `${plural(result.warp_instructions, "instruction")} of warps; `;
  const cut = result.complete === null ? "" : ` Recorded up to cycle ${result.complete.toLocaleString("en-US")}: the rest had no room.`;
  return `${time}${count}${expected}${findings}.${cut}`;
}
