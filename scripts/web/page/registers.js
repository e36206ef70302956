// Registers of the warp: a row for each, a column for each lane. Lanes that are not active and values in flight are marked by
// a sign as well as by grey, and so are the registers that the last instruction wrote.
import { h, lanes, number, wide } from "./dom.js";
import { FORMATS, usual, wayAt } from "./values.js";
import { names } from "./steps.js";

const UNWRITTEN = 0xcdcdcdcd;

const inFlight = (machine, r) => machine.ready[r] === null || machine.ready[r] === false || machine.ready[r] > machine.cycle;

function heading(machine, lane, active, alive) {
  const what = active.has(lane) ? "" : alive.has(lane) ? "waits" : "none";
  return h("th", { scope: "col", class: what && "off", title: what === "waits" ? "not active: it waits for the others" : what ? "ended, or no thread" : null },
    lane, what ? h("small", {}, ` ${what}`) : null);
}

function row({ machine, before, name, r, way, active }) {
  const late = inFlight(machine, r), old = before?.registers[r], lane = (l) => machine.registers[r][l];
  const changed = old && machine.registers[r].some((v, l) => v !== old[l]);
  const cells = machine.registers[r].map((_, l) => h("td", { class: active.has(l) ? null : "off" },
    lane(l) === UNWRITTEN ? h("span", { class: "unset", title: "never written" }, "·") : FORMATS[way].show(lane(l))));
  const until = machine.ready[r] ? `in flight: can be read from cycle ${number(machine.ready[r])}` : "in flight";
  return h("tr", { class: [late && "late", changed && "changed"].filter(Boolean).join(" ") || null },
    h("th", { scope: "row" }, h("span", { class: "sign", title: late ? until : changed ? "written by the last instruction" : null },
      late ? "~" : changed ? "*" : "\u00a0"), late || changed ? h("span", { class: "unseen" }, late ? `${until}: ` : "just written: ") : null,
    name ?? "", h("small", {}, ` r${r}`)), cells);
}

export function create(root, app) {
  const format = h("select", { id: "format", onchange: () => show(app.state) }, h("option", { value: "" }, "as they are used"),
    Object.entries(FORMATS).map(([key, { title }]) => h("option", { value: key }, title)));
  const body = h("tbody"), head = h("tr"), legend = h("p", { class: "legend" });
  const place = wide("Registers of the warp, a column for each lane", h("table", { class: "lanes" },
    h("caption", { class: "unseen" }, "Registers, a column for each lane"), h("thead", {}, head), body));
  root.append(h("div", { class: "bar" }, h("h3", {}, "Registers"), h("label", {}, h("span", {}, "shown"), format)), place, legend);

  let of = null, ways, known;
  const show = (state) => {
    const { machine, result, before } = state;
    root.hidden = !machine;
    if (!machine) return;
    if (of !== result) [of, ways, known] = [result, usual(result.program.code), names(result.program, result.kernel ?? result.case.entry)];
    const active = new Set(lanes(machine.active)), alive = new Set([...active, ...machine.levels.flatMap((l) => lanes(l.lanes))]);
    head.replaceChildren(h("th", { scope: "col" }, "lane"), ...Array.from({ length: machine.width }, (_, l) => heading(machine, l, active, alive)));
    body.replaceChildren(...machine.registers.map((_, r) => row({ machine, before, r, active, name: known.get(r), way: format.value || wayAt(ways, r, machine.pc) })));
    const any = (test) => machine.registers.some(test);
    legend.textContent = [any((_, r) => inFlight(machine, r)) && "~ in flight: it cannot be read yet",
      before && "* written by the last instruction", any((v) => v.includes(UNWRITTEN)) && "· never written"].filter(Boolean).join(";  ");
  };
  return { update: show };
}
