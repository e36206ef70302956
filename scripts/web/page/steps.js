// Where the cursor is, and all that moves it.
import { h, number, plural } from "./dom.js";

const button = (id, label, text, onclick) => h("button", { type: "button", id, title: label, "aria-label": label, onclick }, text);

// The source line of an instruction, or its own text where the line is of an included file.
export function words({ result }, pc) {
  const row = result.program.code[pc];
  if (!row) return "";
  const line = row.file === null ? result.source.split("\n")[row.line - 1] : null;
  return (line ?? row.text).replace(/[;].*|\/\/.*/, "").trim().replace(/\s+/g, " ");
}

const name = ({ block, warp }) => `${block}.${warp}`;

function whereTo({ result, record, machine, next, at, index }) {
  if (!machine) return `Warp ${name(at)} has not begun.`;
  if (!next) return machine?.ended || index >= record.behind(at.block, at.warp) ? `Warp ${name(at)} has ended.`
    : `Nothing more of warp ${name(at)} was recorded.`;
  const { line, file } = result.program.code[next.pc];
  return `Warp ${name(at)}, ${file ? `${file}, ` : ""}line ${line}:`;
}

// Registers that an instruction reads, by number: all but the first operand, and the first of stores.
function reads(text) {
  const operands = text.replace(/^@\S+ +/, "").replace(/^\S+ */, "").split(/, */);
  return (/^(st|red)\b/.test(text.replace(/^@\S+ +/, "")) ? operands : operands.slice(1)).flatMap((o) => [...o.matchAll(/\br(\d+)\b/g)].map(([, n]) => +n));
}

export function names(program, kernel) {
  const found = new Map();
  for (const { name: word, kind, in: of, number: first, count } of program.names)
    if (kind === "register" && of === kernel)
      for (let i = 0; i < count; i++) found.set(first + i, i ? `${word}+${i}` : word);
  return found;
}

function why({ result, machine, next, index, before }, stalls) {
  if (!next || !machine || machine.reason === null) return "";
  const doc = stalls.find((s) => s.name === machine.reason)?.doc, known = names(result.program, result.kernel ?? result.case.entry);
  if (machine.until <= machine.from || machine.reason === "selected") return "It issues without a wait.";
  const past = index === next.index, cycles = plural(machine.until - machine.from, "cycle");
  const late = [...new Set(reads(result.program.code[next.pc].text))].filter((r) => machine.ready[r] === null || machine.ready[r] === false ||
    machine.ready[r] > machine.from).map((r) => `${known.get(r) ?? `r${r}`} ${machine.ready[r] ? `can be read from cycle ${number(machine.ready[r])}` : "is in flight"}`);
  return `It ${past ? "has waited" : "waits"} ${cycles}, from ${number(machine.from)} to ${number(machine.until)}: ${machine.reason} (${doc}).` +
    (late.length && machine.reason !== "not_selected" ? ` ${late.join("; ")}.` : "");
}

// Names begin with the word that is seen, so that it can be said.
function controls(app) {
  return [button("begin", "To this warp's first instruction (Home)", "|◀", () => app.begin()),
    button("back", "Back: take back this warp's last instruction (p)", "◀ Back", () => app.back()),
    button("step", "Step: issue this warp's next instruction (n)", "Step ▶", () => app.step()),
    button("end", "To this warp's end (End)", "▶|", () => app.end()),
    button("back-any", "Any warp: take back the last instruction (P)", "◀ Any", () => app.backAny()),
    button("step-any", "Any warp: issue the next instruction (N)", "Any ▶", () => app.stepAny()),
    button("barrier", "Barrier: to this warp's next one (b)", "Barrier", () => app.barrier())];
}

export function create(root, app) {
  const reach = h("button", { type: "button", id: "reach", title: "To this warp's next time at the editor's line (l)", onclick: () => app.reach(app.editor.line()) });
  const slider = h("input", { type: "range", id: "slider", min: 0, value: 0, oninput: () => app.place(+slider.value, false) });
  const warp = h("select", { id: "at", "aria-label": "Warp to look at", title: "The warp to look at: block.warp", onchange: () => app.move(Object.fromEntries(["block", "warp"].map((k, i) => [k, +warp.value.split(".")[i]]))) });
  const place = h("output", { id: "place", for: "slider" });
  const line = h("p", { id: "where" }), doc = h("p", { class: "doc" }), reason = h("p", { id: "why" });
  const bar = h("div", { class: "steps", role: "group", "aria-label": "Steps" }, controls(app), reach, warp);
  root.append(bar, h("div", { class: "time" }, h("label", { for: "slider", class: "unseen" }, "Instructions of all warps"), slider, place),
    h("div", { class: "here", "aria-live": "polite", "aria-atomic": "true" }, line, doc, reason));

  const atLine = () => { reach.textContent = `To line ${app.editor.line()}`; };
  app.editor.moved = atLine;
  atLine();
  app.on("run", ({ record }) => {
    slider.max = record?.issues.length ?? 0;
    warp.replaceChildren(...[...record?.warps.values() ?? []].filter(({ issue }) => issue.length)
      .sort((a, b) => a.block - b.block || a.warp - b.warp).map((w) => h("option", { value: name(w) }, `warp ${name(w)}`)));
  });
  return {
    update(state) {
      const { record, result, next, at, machine } = state, on = Boolean(record?.issues.length);
      for (const control of bar.querySelectorAll("button, select")) control.disabled = !on;
      slider.disabled = !on;
      if (!on) {
        for (const part of [line, doc, place]) part.replaceChildren();
        return reason.replaceChildren("Run the kernel: then you can step through what its warps have done, forward and back.");
      }
      warp.value = name(at);
      slider.value = app.steps();
      slider.setAttribute("aria-valuetext", `${number(app.steps())} of ${plural(record.issues.length, "instruction")}`);
      place.textContent = `${number(app.steps())} of ${number(record.issues.length)} instructions, cycle ${number(record.cycle[Math.min(state.index, record.count - 1)])}`;
      const text = next && machine ? words(state, next.pc) : "", word = text.replace(/^@\S+ /, "").split(" ")[0];
      line.replaceChildren(whereTo(state), " ", h("code", {}, text));
      doc.textContent = text ? app.words.instructions.find((row) => row.name === word)?.doc ?? "" : "";
      reason.textContent = why(state, app.words.stalls);
    }
  };
}
