// Registers of the warp: a row for each, a column for each lane. Lanes that are not active and values in flight are marked by
// a sign as well as by grey, and so are the registers that the last instruction wrote.
import { h, lanes, number, wide } from "./dom.js";
import { names } from "./program.js";
import { FORMATS, usual, wayAt } from "./values.js";

const UNWRITTEN = 0xcdcdcdcd;
const LEGEND = [["~", "in flight: it cannot be read yet"], ["*", "written by the last instruction"], ["·", "never written"]];

// Why a lane takes no part: [word, sentence].
const WAITS = ["waits", "not active: it waits for the others"], GONE = ["none", "it has ended, or has no thread"];

function heading(lane, { active, alive }) {
  const off = active.has(lane) ? null : alive.has(lane) ? WAITS : GONE;
  return h("th", { scope: "col", class: off && "off", title: off?.[1] }, lane, off ? h("small", {}, ` ${off[0]}`) : null);
}

// Makes the mark before the name of a register: {sign, words, class}.
function mark({ machine, before }, r) {
  const ready = machine.ready[r];
  if (ready === null || ready > machine.cycle) {
    return { sign: "~", words: ready ? `in flight: can be read from cycle ${number(ready)}` : "in flight", class: "late" };
  }
  const old = before?.registers[r];
  const changed = old && machine.registers[r].some((value, lane) => value !== old[lane]);
  return changed ? { sign: "*", words: "written by the last instruction", class: "changed" } : { sign: "\u00a0", words: null };
}

const value = (bits, way) =>
  bits === UNWRITTEN ? h("span", { class: "unset", title: "never written" }, "·") : FORMATS[way].show(bits);

function row(state, r, { name, way, active }) {
  const { sign, words, class: kind } = mark(state, r);
  return h("tr", { class: kind },
    h("th", { scope: "row" }, h("span", { class: "sign", title: words, "aria-hidden": "true" }, sign),
      words ? h("span", { class: "unseen" }, `${words}: `) : null, name ?? "", h("small", {}, ` ${r}`)),
    state.machine.registers[r].map((bits, lane) => h("td", { class: active.has(lane) ? null : "off" }, value(bits, way))));
}

export function create(root, app) {
  const format = h("select", { id: "format", onchange: () => show(app.state) }, h("option", { value: "" }, "as they are used"),
    Object.entries(FORMATS).map(([key, { title }]) => h("option", { value: key }, title)));
  const body = h("tbody"), head = h("tr"), legend = h("p", { class: "legend" });
  root.append(h("div", { class: "bar" }, h("h3", {}, "Registers"), h("label", {}, h("span", {}, "shown"), format)),
    wide("Registers of the warp, a column for each lane", h("table", { class: "lanes" },
      h("caption", { class: "unseen" }, "Registers, a column for each lane"), h("thead", {}, head), body)), legend);

  let of = null, ways, known; // of the last run
  const show = (state) => {
    const { machine, result } = state;
    root.hidden = !machine;
    if (!machine) return;
    if (of !== result) [of, ways, known] = [result, usual(result.program.code), names(result)];
    const active = new Set(lanes(machine.active));
    const alive = new Set([...active, ...machine.levels.flatMap((level) => lanes(level.lanes))]);
    head.replaceChildren(h("th", { scope: "col" }, "lane"),
      ...Array.from({ length: machine.width }, (_, lane) => heading(lane, { active, alive })));
    body.replaceChildren(...Object.keys(machine.registers).filter((r) => r.startsWith("r")).map((r, number) =>
      row(state, r, { active, name: known.get(number), way: format.value || wayAt(ways, number, machine.pc) })));
    legend.textContent = LEGEND.filter(([sign]) => body.textContent.includes(sign)).map((one) => one.join(" ")).join("; ");
  };
  return { update: show };
}
