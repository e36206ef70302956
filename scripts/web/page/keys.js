// Keys of the recording: letters only where the focus is in it, so that they never take what is typed elsewhere.
import { t } from "./words.js";
export const KEYS = [
  { keys: ["n", "F9"], words: t`n, or F9 anywhere`, doc: t`issue this warp's next instruction`, act: (app) => app.step() },
  { keys: ["p", "Shift-F9"], words: t`p, or Shift-F9 anywhere`, doc: t`take back its last one`, act: (app) => app.back() },
  { keys: ["N"], words: "N", doc: t`issue the next instruction of any warp`, act: (app) => app.stepAny() },
  { keys: ["P"], words: "P", doc: t`take back the last one of any warp`, act: (app) => app.backAny() },
  { keys: ["b"], words: "b", doc: t`go to this warp's next barrier`, act: (app) => app.barrier() },
  { keys: ["l"], words: "l", doc: t`go to the editor's line`, act: (app) => app.reach(app.editor.line()) },
  { keys: ["c"], words: "c", doc: t`continue to the next breakpoint`, act: (app) => app.debug("continue") },
  { keys: ["C"], words: "C", doc: t`continue back to the one before`, act: (app) => app.debug("reverse continue") },
  { keys: ["k"], words: "k", doc: t`set a breakpoint at the editor's line, or delete it`, act: (app) => app.toggle(app.editor.line()) },
  { keys: ["Home"], words: "Home", doc: t`go to this warp's first instruction`, act: (app) => app.begin() },
  { keys: ["End"], words: "End", doc: t`go to its end`, act: (app) => app.end() },
  { keys: ["Ctrl-Enter"], words: "Ctrl-Enter", doc: t`run`, act: (app) => app.run() }
];

const typed = (element) => element.closest("input, select, textarea, [contenteditable=true], [role=tablist], canvas, svg");

function name(event) {
  const held = (event.ctrlKey || event.metaKey ? "Ctrl-" : "") + (event.altKey ? "Alt-" : "");
  return held + (event.shiftKey && event.key.length > 1 ? "Shift-" : "") + event.key;
}

export function listen(app) {
  addEventListener("keydown", (event) => {
    const key = name(event), row = KEYS.find(({ keys }) => keys.includes(key));
    if (!row || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const anywhere = key.includes("F9") || key === "Ctrl-Enter";
    if (!anywhere && (!event.target.closest("#inside") || typed(event.target))) return;
    event.preventDefault();
    row.act(app);
  });
}
