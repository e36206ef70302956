// Active lanes, waiting lanes and where they reconverge, and the predicates.
import { h, lanes, ranges, renew, wide } from "./dom.js";
import { predicates, words } from "./program.js";
import { t } from "./words.js";

function mask(value, width) {
  const on = new Set(lanes(value));
  const label = on.size === width ? t`all lanes` : on.size ? t`lanes ${ranges([...on], " to ")}` : t`no lane`;
  const bit = (_, lane) => h("i", { class: on.has(lane) ? "on" : null }, on.has(lane) ? "1" : "·");
  return h("span", { class: "mask", role: "img", "aria-label": label }, Array.from({ length: width }, bit));
}

const line = (state, pc) => pc === null ? "" : t`line ${state.result.program.code[pc]?.line}: ${words(state, pc)}`;
const header = (...titles) => h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title))));

// Returns the levels, the one that runs first at the top.
function levels(state) {
  const { machine } = state;
  const active = [t`active`, { lanes: machine.active, next: machine.pc, reconverge: machine.reconverge }];
  return [active, ...[...machine.levels].reverse().map((level) => [t`wait`, level])].map(([word, level]) =>
    h("tr", {}, h("th", { scope: "row" }, word), h("td", {}, mask(level.lanes, machine.width)),
      h("td", {}, machine.ended ? t`ended` : line(state, level.next)), h("td", {}, line(state, level.reconverge))));
}

export function create(root) {
  const stack = h("tbody"), bits = h("tbody");
  root.append(h("h3", {}, t`Lanes`), wide(t`Lanes that are active and lanes that wait`,
    h("table", { class: "plain" }, header(t`level`, t`lanes`, t`go on at`, t`meet others at`), stack),
    h("table", { class: "plain predicates" }, h("caption", { class: "unseen" }, t`Predicates`), bits)));
  return {
    update(state) {
      const { machine, result } = state;
      root.hidden = !machine;
      if (!machine) return;
      renew(stack, levels(state));
      renew(bits, predicates(result).map(({ name, number }) => h("tr", {}, h("th", { scope: "row" }, name, h("small", {}, ` p${number}`)),
        h("td", {}, mask(machine.registers[`p${number}`], machine.width)))));
    }
  };
}
