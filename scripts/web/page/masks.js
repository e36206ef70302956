// Active lanes, waiting lanes and where they reconverge, and the predicates.
import { h, lanes, ranges, wide } from "./dom.js";
import { predicates, words } from "./program.js";

function mask(value, width) {
  const on = new Set(lanes(value));
  const label = on.size === width ? "all lanes" : on.size ? `lanes ${ranges([...on], " to ")}` : "no lane";
  const bit = (_, lane) => h("i", { class: on.has(lane) ? "on" : null }, on.has(lane) ? "1" : "·");
  return h("span", { class: "mask", role: "img", "aria-label": label }, Array.from({ length: width }, bit));
}

const line = (state, pc) => pc === null ? "" : `line ${state.result.program.code[pc]?.line}: ${words(state, pc)}`;
const header = (...titles) => h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title))));

// Returns the levels, the one that runs first at the top.
function levels(state) {
  const { machine } = state;
  const active = ["active", { lanes: machine.active, next: machine.pc, reconverge: machine.reconverge }];
  return [active, ...[...machine.levels].reverse().map((level) => ["wait", level])].map(([word, level]) =>
    h("tr", {}, h("th", { scope: "row" }, word), h("td", {}, mask(level.lanes, machine.width)),
      h("td", {}, machine.ended ? "ended" : line(state, level.next)), h("td", {}, line(state, level.reconverge))));
}

export function create(root) {
  const stack = h("tbody"), bits = h("tbody");
  root.append(h("h3", {}, "Lanes"), wide("Lanes that are active and lanes that wait",
    h("table", { class: "plain" }, header("level", "lanes", "go on at", "meet others at"), stack),
    h("table", { class: "plain predicates" }, h("caption", { class: "unseen" }, "Predicates"), bits)));
  return {
    update(state) {
      const { machine, result } = state;
      root.hidden = !machine;
      if (!machine) return;
      stack.replaceChildren(...levels(state));
      bits.replaceChildren(...predicates(result).map(({ name, number }) => h("tr", {},
        h("th", { scope: "row" }, name, h("small", {}, ` p${number}`)),
        h("td", {}, mask(machine.registers[`p${number}`], machine.width)))));
    }
  };
}
