// The board as text, to be edited: errors are shown at once, and the next run uses a valid one.
import { h, number, plural, table } from "./dom.js";
import { diagnostics } from "./diagnostics.js";
import { boardEditor } from "./editor.js";
import { t } from "./words.js";

const WAIT = 300; // ms without a key

export function create(root, app) {
  const place = h("div", { class: "board-editor" }), wrong = h("p", { class: "bad", role: "status" });
  const about = h("p", { class: "quiet" });
  const reset = h("button", { type: "button", id: "board-reset", onclick: () => app.setBoard(app.state.board.name) },
    t`As it ships`);
  const peaks = h("details", {}, h("summary", {}, t`What follows from it`), h("div", { class: "peaks" }));
  root.append(h("div", { class: "bar" }, about, reset), wrong, place, peaks);
  let timer, sent; // the text that was checked last: while it is, more may have been typed

  const edited = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const text = sent = editor.text();
      try {
        await app.setBoard(app.state.board.name, text);
      } catch (e) {
        const found = diagnostics(e.message);
        editor.diagnose(found);
        const { line, message } = found[0];
        wrong.textContent = t`${line ? t`Line ${line}: ` : ""}${message}. Runs use the board as it was.`;
      }
    }, WAIT);
  };
  const editor = boardEditor(place, { run: () => app.run(), changed: edited });
  app.boardEditor = editor;

  const show = ({ board }) => {
    if (!board) return;
    if (editor.text() !== board.text && board.text !== sent) editor.set(board.text);
    const warnings = diagnostics(board.warnings);
    editor.diagnose(warnings);
    wrong.textContent = warnings.map(({ message }) => message).join("; ");
    const count = plural(board.values.length, "value");
    about.textContent = t`${board.name}${board.edited ? t`, edited` : ""}: ${count}. Change one and run again.`;
    reset.disabled = !board.edited || !app.boards.includes(board.name);
    const rows = Object.entries(board.peaks).map(([key, value]) => [key, number(value)]);
    peaks.lastChild.replaceChildren(table({ head: [t`peak`, t`value`], rows }));
  };
  app.on("board", show);
  return { update: () => {} };
}
