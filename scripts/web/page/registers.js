// Registers of the warp: a row for each, a column for each lane; one cell for all lanes where they have one value, or one that
// grows with the lane. Lanes that are not active and values in flight are marked by a sign as well as by grey, and so are the
// registers that the last instruction wrote.
import { h, lanes, number, renew, signsIn, wide } from "./dom.js";
import { elementOf, fold } from "./fold.js";
import { names, pairs } from "./program.js";
import { FORMATS, usual, wayAt } from "./values.js";
import { t } from "./words.js";

const UNWRITTEN = 0xcdcdcdcd;
const LEGEND = [["~", t`in flight: it cannot be read yet`], ["*", t`written by the last instruction`], ["·", t`never written`]];
const WHOLE = new Set(["hex", "signed", "unsigned"]); // formats of numbers that a lane's number can be added to

// Why a lane takes no part: [word, sentence].
const WAITS = ["waits", t`not active: it waits for the others`], GONE = ["none", t`it has ended, or has no thread`];

function heading(lane, { active, alive }) {
  const off = active.has(lane) ? null : alive.has(lane) ? WAITS : GONE;
  return h("th", { scope: "col", class: off && "off", title: off?.[1] }, lane, off ? h("small", {}, ` ${off[0]}`) : null);
}

// Makes the mark before the name of a register: {sign, words, class}.
function mark({ machine, before }, parts) {
  const ready = parts.map((r) => machine.ready[r]), at = ready.includes(null) ? null : Math.max(0, ...ready.filter(Boolean));
  if (at === null || at > machine.cycle)
    return { sign: "~", words: at ? t`in flight: can be read from cycle ${number(at)}` : t`in flight`, class: "late" };
  const changed = parts.some((r) => before?.registers[r] && machine.registers[r].some((value, lane) => value !== before.registers[r][lane]));
  return changed ? { sign: "*", words: t`written by the last instruction`, class: "changed" } : { sign: "\u00a0", words: null };
}

// A register, or two that hold one number of 64 bits: {parts, values, bits, show, unset}. `unset(lane)`: never written.
function registerOf({ machine, arrays }, r, pair, way) {
  const low = machine.registers[`r${r}`], high = pair ? machine.registers[`r${r + 1}`] : null;
  const show = high ? (value) => elementOf(arrays, value) ?? `0x${value.toString(16)}` : (value) => FORMATS[way].show(Number(value));
  return { parts: high ? [`r${r}`, `r${r + 1}`] : [`r${r}`], bits: high ? 64 : 32, show, whole: high !== null || WHOLE.has(way),
    values: low.map((bits, lane) => high ? BigInt(high[lane]) << 32n | BigInt(bits) : BigInt(bits)),
    unset: (lane) => low[lane] === UNWRITTEN && (!high || high[lane] === UNWRITTEN) };
}

// True if two registers hold one number: they have one name, and are used so.
const joined = ({ machine }, r, way) => way === "hex" && machine.registers[`r${r + 1}`]?.every((high) => high === 0 || high === UNWRITTEN);

const unset = () => h("span", { class: "unset", title: t`never written` }, "·");

// The cells of a row: one for all lanes, or one for each.
function cells(state, register, { there, active, folded }, flip) {
  const { values, unset: none, show, bits, whole } = register, width = values.length;
  const base = (value) => bits === 64 ? `0x${value.toString(16)}` : show(value);
  const text = !folded || there.length < 2 ? null : there.every(none) ? "·" : there.some(none) ? null
    : fold({ values: there.map((lane) => values[lane]), bits, show: base, whole: whole && there.every((lane, k) => lane === k), arrays: state.arrays });
  if (text === null) return values.map((value, lane) => h("td", { class: active.has(lane) ? null : "off" }, none(lane) ? unset() : show(value)));
  const button = h("button", { type: "button", title: t`Show each lane`, onclick: flip }, text === "·" ? unset() : text);
  return h("td", { colspan: width, class: "folded" }, button);
}

export function create(root, app) {
  const again = () => show(app.state), format = h("select", { id: "format", onchange: again },
    h("option", { value: "" }, t`as they are used`), Object.entries(FORMATS).map(([key, { title }]) => h("option", { value: key }, title)));
  const folding = h("input", { type: "checkbox", id: "fold", checked: true, onchange: () => {
    open.clear();
    again();
  } });
  const body = h("tbody"), head = h("tr"), legend = h("p", { class: "legend" }), open = new Set(); // rows that are not folded
  root.append(h("div", { class: "bar" }, h("h3", {}, t`Registers`),
    h("label", { class: "tools" }, folding, h("span", {}, t`equal lanes in one cell`)), h("label", {}, h("span", {}, t`shown`), format)),
  wide(t`Registers of the warp, a column for each lane`, h("table", { class: "lanes" },
    h("caption", { class: "unseen" }, t`Registers, a column for each lane`), h("thead", {}, head), body)), legend);

  function row(state, r, { name, pair, way, ...lanesOf }) {
    const register = registerOf(state, r, pair, way), { sign, words, class: kind } = mark(state, register.parts);
    const flip = () => {
      open.add(r);
      again();
    };
    const wide = cells(state, register, { ...lanesOf, folded: folding.checked && !open.has(r) }, flip);
    return h("tr", { class: kind },
      h("th", { scope: "row" }, h("span", { class: "sign", title: words, "aria-hidden": "true" }, sign),
        words ? h("span", { class: "unseen" }, `${words}: `) : null, who(name, register), h("small", {}, ` ${register.parts.join(" ")}`)), wide);
  }

  // Leads from the name of a register to its last write.
  const who = (name, { parts: [first] }) => name === undefined ? "" : h("button", { type: "button", class: "who",
    title: t`Who wrote it: go there`, onclick: () => app.debug(`who ${first}`) }, name);

  let of = null, ways, known, twos; // of the last run
  const show = (state) => {
    const { machine, result } = state;
    root.hidden = !machine;
    if (!machine) return;
    if (of !== result) {
      [of, ways, known, twos] = [result, usual(result.program.code), names(result), pairs(result)];
      open.clear();
    }
    const active = new Set(lanes(machine.active)), there = lanes(machine.lanes ?? machine.active);
    const alive = new Set([...active, ...machine.levels.flatMap((level) => lanes(level.lanes))]);
    renew(head, [h("th", { scope: "col" }, t`lane`), ...Array.from({ length: machine.width }, (_, lane) => heading(lane, { active, alive }))]);
    const rows = [], count = Object.keys(machine.registers).filter((one) => one.startsWith("r")).length;
    for (let r = 0; r < count; r++) {
      const way = format.value || wayAt(ways, r, machine.pc), pair = !format.value && twos.has(r) && joined(state, r, way);
      rows.push(row(state, r, { active, there, name: known.get(r), pair, way }));
      if (pair) r++;
    }
    renew(body, rows);
    legend.textContent = signsIn(body.textContent, LEGEND);
  };
  return { update: show };
}
