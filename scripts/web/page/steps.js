// The place of the cursor, and all that moves it.
import { h, number, plural } from "./dom.js";
import { described, names, words } from "./program.js";
import { t } from "./words.js";

const nameOf = ({ block, warp }) => `${block}.${warp}`;

// ---- sentences ----

function where({ result, machine, next, at }) {
  const warp = nameOf(at);
  if (!machine) return t`Warp ${warp} has not begun.`;
  if (!next) return machine.ended ? t`Warp ${warp} has ended.` : t`Nothing more of warp ${warp} was recorded.`;
  const { line, file } = result.program.code[next.pc];
  return t`Warp ${warp}, ${file ? `${file}, ` : ""}line ${line}:`;
}

// Registers that an instruction reads, by number: all but the first operand, and the first of stores.
function reads(text) {
  const [name, ...rest] = text.replace(/^@\S+ +/, "").split(/ +/);
  const operands = rest.join(" ").split(/, */), from = /^(st|red)\b/.test(name) ? 0 : 1;
  return operands.slice(from).flatMap((operand) => [...operand.matchAll(/\br(\d+)\b/g)].map(([, n]) => +n));
}

// Finds those that were missing when the wait began.
function late({ result, machine, next }) {
  const known = names(result), found = new Set(reads(result.program.code[next.pc].disassembly));
  return [...found].map((r) => [r, machine.ready[`r${r}`]]).filter(([, ready]) => ready === null || ready > machine.from).map(([r, ready]) =>
    `${known.get(r) ?? `r${r}`} ${ready ? t`can be read from cycle ${number(ready)}` : t`is in flight`}`);
}

function why(state, stalls) {
  const { machine, next, index } = state;
  if (!next || !machine || !machine.reason) return "";
  const { reason, from, until } = machine;
  if (until <= from || reason === "selected") return t`It issues without a wait.`;
  const begin = t`It ${index === next.index ? t`has waited` : t`waits`} ${plural(until - from, "cycle")}`;
  const doc = stalls.find(({ name }) => name === reason)?.doc;
  const what = reason === "not_selected" ? [] : late(state);
  return t`${begin}, from ${number(from)} to ${number(until)}: ${reason} (${doc}).${what.length ? ` ${what.join("; ")}.` : ""}`;
}

// ---- controls ----

// Names begin with the visible word, for speech control.
const BUTTONS = [
  { id: "begin", text: "|◀", name: t`To this warp's first instruction (Home)`, act: "begin" },
  { id: "back", text: t`◀ Back`, name: t`Back: take back this warp's last instruction (p)`, act: "back" },
  { id: "step", text: t`Step ▶`, name: t`Step: issue this warp's next instruction (n)`, act: "step" },
  { id: "end", text: "▶|", name: t`To this warp's end (End)`, act: "end" },
  { id: "back-any", text: t`◀ Any`, name: t`Any warp: take back the last instruction (P)`, act: "backAny" },
  { id: "step-any", text: t`Any ▶`, name: t`Any warp: issue the next instruction (N)`, act: "stepAny" },
  { id: "barrier", text: t`Barrier`, name: t`Barrier: to this warp's next one (b)`, act: "barrier" }
];

function buttons(app) {
  const reach = h("button", { type: "button", id: "reach", onclick: () => app.reach(app.editor.line()),
    title: t`To this warp's next time at the editor's line (l)` });
  app.editor.moved = () => { reach.textContent = t`To line ${app.editor.line()}`; };
  app.editor.moved();
  return [...BUTTONS.map(({ id, text, name, act }) =>
    h("button", { type: "button", id, title: name, "aria-label": name, onclick: () => app[act]() }, text)), reach];
}

function warpChooser(app) {
  const chooser = h("select", { id: "at", "aria-label": t`Warp to look at`, title: t`The warp to look at: block.warp`,
    onchange: () => {
      const [block, warp] = chooser.value.split(".").map(Number);
      app.move({ block, warp });
    } });
  app.on("run", ({ record }) => {
    const warps = [...record?.warps.values() ?? []].filter(({ issue }) => issue.length)
      .sort((a, b) => a.block - b.block || a.warp - b.warp);
    chooser.replaceChildren(...warps.map((warp) => h("option", { value: nameOf(warp) }, t`warp ${nameOf(warp)}`)));
  });
  return chooser;
}

function time(app) {
  const slider = h("input", { type: "range", id: "slider", min: 0, value: 0, oninput: () => app.place(+slider.value, false) });
  const place = h("output", { id: "place", for: "slider" });
  app.on("run", ({ record }) => { slider.max = record?.issues.length ?? 0; });
  return {
    root: h("div", { class: "time" }, h("label", { for: "slider", class: "unseen" }, t`Instructions of all warps`), slider, place),
    show({ record, index }) {
      slider.disabled = !record?.issues.length;
      if (slider.disabled) return place.replaceChildren();
      const steps = t`${number(app.steps())} of ${plural(record.issues.length, "instruction")}`;
      slider.value = app.steps();
      slider.setAttribute("aria-valuetext", steps);
      place.textContent = t`${steps}, cycle ${number(record.cycle[Math.min(index, record.count - 1)])}`;
    }
  };
}

const NOTHING = t`Run the kernel: then you can step through what its warps have done, forward and back.`;

export function create(root, app) {
  const warp = warpChooser(app), slider = time(app);
  const line = h("p", { id: "where" }), doc = h("p", { class: "doc" }), reason = h("p", { id: "why" });
  const stale = h("p", { class: "legend", hidden: true }, t`The kernel has changed since this run: run it again.`);
  const bar = h("div", { class: "steps", role: "group", "aria-label": t`Steps` }, buttons(app), warp);
  app.on("edit", (state) => { stale.hidden = !(state.stale && state.record); });
  root.append(bar, slider.root, stale, h("div", { class: "here", "aria-live": "polite", "aria-atomic": "true" }, line, doc, reason));
  return {
    update(state) {
      const { record, next, at, machine } = state, on = Boolean(record?.issues.length);
      for (const control of bar.querySelectorAll("button, select")) control.disabled = !on;
      slider.show(state);
      stale.hidden = !(state.stale && on);
      if (on) warp.value = nameOf(at);
      const text = on && next && machine ? words(state, next.pc) : "", word = text.replace(/^@\S+ /, "").split(" ")[0];
      line.replaceChildren(on ? where(state) : "", " ", h("code", {}, text));
      doc.textContent = described(app.words.instructions, word)?.doc ?? "";
      reason.textContent = on ? why(state, app.words.stalls) : NOTHING;
    }
  };
}
