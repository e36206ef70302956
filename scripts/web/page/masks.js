// Which lanes are active, which wait for them and where they meet, and the predicates.
import { h, lanes } from "./dom.js";
import { words } from "./steps.js";

function mask(value, width) {
  const on = new Set(lanes(value));
  const bits = Array.from({ length: width }, (_, l) => h("i", { class: on.has(l) ? "on" : null }, on.has(l) ? "1" : "·"));
  return h("span", { class: "mask", role: "img", "aria-label": on.size === width ? "all lanes" : on.size ? `lanes ${ranges([...on])}` : "no lane" }, bits);
}

// 0, 1, 2, 5 as "0 to 2, 5".
export function ranges(list) {
  const found = [];
  for (const lane of list) {
    const last = found.at(-1);
    if (last && last[1] === lane - 1) last[1] = lane;
    else found.push([lane, lane]);
  }
  return found.map(([a, b]) => a === b ? `${a}` : `${a} to ${b}`).join(", ");
}

const line = (state, pc) => pc === null ? "" : `line ${state.result.program.code[pc]?.line}: ${words(state, pc)}`;

export function create(root, app) {
  const stack = h("tbody"), predicates = h("tbody");
  root.append(h("h3", {}, "Lanes"),
    h("div", { class: "wide", role: "region", tabindex: 0, "aria-label": "Lanes that are active and lanes that wait" },
      h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ["level", "lanes", "go on at", "meet others at"].map((t) => h("th", { scope: "col" }, t)))), stack),
      h("table", { class: "plain predicates" }, h("caption", { class: "unseen" }, "Predicates"), predicates)));
  return {
    update(state) {
      const { machine, result } = state;
      root.hidden = !machine;
      if (!machine) return;
      const rows = [...machine.levels.map((level) => ["wait", level]), ["active", { lanes: machine.active, next: machine.pc, reconverge: machine.reconverge }]];
      stack.replaceChildren(...rows.reverse().map(([what, level]) => h("tr", {}, h("th", { scope: "row" }, what), h("td", {}, mask(level.lanes, machine.width)),
        h("td", {}, machine.ended ? "ended" : line(state, level.next)), h("td", {}, line(state, level.reconverge)))));
      const known = result.program.names.filter(({ kind, in: of }) => kind === "predicate" && of === (result.kernel ?? result.case.entry));
      predicates.replaceChildren(...known.map(({ name, number }) => h("tr", {}, h("th", { scope: "row" }, name, h("small", {}, ` p${number}`)),
        h("td", {}, mask(machine.predicates[number], machine.width)))));
    }
  };
}
