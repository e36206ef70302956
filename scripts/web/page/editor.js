// The editors of the kernel and of the board: CodeMirror with heddle's words, warnings and the line of the cursor.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, EditorView, GutterMarker, drawSelection, gutter, gutterLineClass, highlightActiveLine, hoverTooltip, keymap, lineNumbers
} from "@codemirror/view";
import { h, number } from "./dom.js";
import { place } from "./diagnostics.js";
import { described } from "./program.js";
import { boardLanguage, highlight, kernelLanguage } from "./syntax.js";
import { t } from "./words.js";

// ---- the line of the warp ----

const setLine = StateEffect.define();
const here = Decoration.line({ class: "cm-here", attributes: { "aria-current": "step" } });
const lineField = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    for (const effect of change.effects)
      if (effect.is(setLine))
        return effect.value && effect.value <= change.state.doc.lines
          ? Decoration.set([here.range(change.state.doc.line(effect.value).from)]) : Decoration.none;
    return change.docChanged ? marks.map(change.changes) : marks;
  },
  provide: (field) => EditorView.decorations.from(field)
});

// ---- breakpoints, which move with their lines ----

class Stop extends GutterMarker {
  elementClass = "cm-stop";

  constructor(of) {
    super();
    this.of = of;
  }
}

const setStops = StateEffect.define();
const stopField = StateField.define({
  create: () => RangeSet.empty,
  update(marks, change) {
    for (const effect of change.effects)
      if (effect.is(setStops))
        return RangeSet.of(effect.value.filter(([line]) => line <= change.state.doc.lines)
          .map(([line, of]) => new Stop(of).range(change.state.doc.line(line).from)), true);
    return marks.map(change.changes);
  },
  provide: (field) => gutterLineClass.from(field)
});

// ---- what lines cost ----

class Cost extends GutterMarker {
  constructor(row) {
    super();
    this.row = row;
  }

  toDOM() {
    const { share, issued, lanes, why } = this.row, percent = Math.round(100 * share);
    const title = t`${percent} % of the time of all warps${why ? t`, mostly ${why}` : ""}; issued ${number(issued)} times, on average ${number(lanes)} lanes`;
    return h("span", { style: `--share: ${Math.min(100, 2 * percent)}%`, title }, percent ? `${percent} %` : "");
  }
}

const setCosts = StateEffect.define();
const costField = StateField.define({
  create: () => RangeSet.empty,
  update(marks, change) {
    for (const effect of change.effects)
      if (effect.is(setCosts))
        return RangeSet.of(effect.value.filter(({ line }) => line <= change.state.doc.lines)
          .map((row) => new Cost(row).range(change.state.doc.line(row.line).from)));
    return change.docChanged ? RangeSet.empty : marks;
  }
});
const costGutter = gutter({ class: "cm-costs", markers: (view) => view.state.field(costField) });

// ---- what instructions and special registers are ----

const WORD = /[%\w.]+/g;

function wordAt(view, position) {
  const line = view.state.doc.lineAt(position), code = line.text.split(";")[0];
  for (const { 0: text, index } of code.matchAll(WORD))
    if (position >= line.from + index && position <= line.from + index + text.length) return { text, from: line.from + index };
  return null;
}

function explained({ instructions, registers }, names) {
  return hoverTooltip((view, position) => {
    const word = wordAt(view, position), name = word && names(word.text);
    const row = word && described(word.text.startsWith("%") ? registers : instructions, word.text);
    if (!row && !name) return null;
    const what = name ? h("p", {}, name) : [h("code", {}, row.syntax ?? row.name), h("p", {}, row.doc)];
    const dom = h("div", { class: "explained" }, what);
    return { pos: word.from, end: word.from + word.text.length, above: true, create: () => ({ dom }) };
  });
}

function completed({ instructions, registers }) {
  const own = (rows, type) => rows.map(({ name, doc, syntax }) =>
    ({ label: name, type, info: doc, detail: syntax?.slice(name.length).trim() }));
  const options = [own(instructions, "keyword"), own(registers, "constant")];
  return autocompletion({ icons: false, override: [(context) => {
    const special = context.matchBefore(/%[\w.]*/);
    if (special) return { from: special.from, options: options[1], validFor: /^%[\w.]*$/ };
    const word = context.matchBefore(/^\s*(@!?\w+\s+)?[a-z][\w.]*$/);
    if (!word || word.text.includes(";")) return null;
    return { from: word.from + word.text.search(/[\w.]*$/), options: options[0], validFor: /^[\w.]*$/ };
  }] });
}

// ---- both editors ----

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "0.875rem" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "-2px" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in oklab, var(--link) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "color-mix(in oklab, var(--link) 30%, transparent) !important" }
});

function basics(label, run, press) {
  const mousedown = (view, { from }) => (press(view.state.doc.lineAt(from).number), true);
  return [
    Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
    lineNumbers(press && { domEventHandlers: { mousedown } }), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(),
    search({ top: true }), lintGutter(), syntaxHighlighting(highlight), look, EditorState.tabSize.of(8),
    keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocorrect: "off",
      autocapitalize: "off" })
  ];
}

class Editor {
  constructor(root, extensions, changed) {
    const listener = EditorView.updateListener.of((update) => {
      if (update.docChanged) changed();
      if (update.docChanged || update.selectionSet) this.moved?.();
    });
    this.extensions = [...extensions, listener];
    this.view = new EditorView({ parent: root, extensions: this.extensions });
  }

  text() { return this.view.state.doc.toString(); }

  // Sets another text, which is not an edit: undo stops at it.
  set(text) {
    this.shown = undefined;
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
  }

  // Messages of diagnostics.js.
  diagnose(found) {
    const { doc } = this.view.state;
    const severity = (row) => row.severity === "warning" || row.severity === "note" ? "warning" : "error";
    this.view.dispatch(setDiagnostics(this.view.state, found.map((row) =>
      ({ ...place(doc, row), severity: severity(row), source: "heddle", message: [row.message, ...row.detail].join("\n") }))));
  }

  // The line of the editor's own cursor.
  line() { return this.view.state.doc.lineAt(this.view.state.selection.main.head).number; }

  goto({ line, column }) {
    const at = place(this.view.state.doc, { line, column, width: 0 }).from;
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  // Shows the cost of each line in the last run: rows of `heat` (pictures/counters.js).
  costs(rows) { this.view.dispatch({ effects: setCosts.of(rows) }); }

  // Marks the lines of stops, [[line, stop]]; `stops` gives them where they are now.
  showStops(list) { this.view.dispatch({ effects: setStops.of(list) }); }

  stops() {
    const { doc } = this.view.state, found = [];
    this.view.state.field(stopField).between(0, doc.length, (from, _, { of }) => { found.push([of, doc.lineAt(from).number]); });
    return found;
  }

  // Marks a line, null for none, and scrolls there.
  show(line) {
    if (line === this.shown) return;
    this.shown = line;
    const effects = [setLine.of(line)];
    if (line && line <= this.view.state.doc.lines)
      effects.push(EditorView.scrollIntoView(this.view.state.doc.line(line).from, { y: "nearest", yMargin: 40 }));
    this.view.dispatch({ effects });
  }
}

// `names(word)`: a sentence about a register or label of the kernel, or null; `press(line)`: a click on a line's number.
export const kernelEditor = (root, words, { run, changed, names, press }) => new Editor(root,
  [...basics(t`Kernel`, run, press), kernelLanguage(words), lineField, stopField, costField, costGutter, explained(words, names),
    completed(words)], changed);

export const boardEditor = (root, { run, changed }) =>
  new Editor(root, [...basics(t`Board`, run), boardLanguage], changed);
