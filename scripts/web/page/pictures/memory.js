// Buffers and shared memory at the cursor, as grids of elements: those of the last access are marked, and a click on one
// names the lane that stored it.
import { h, number, plural, signsIn } from "../dom.js";
import { Contents } from "../contents.js";
import { Grid } from "./grid.js";
import { words } from "../program.js";
import { ELEMENTS, element, formatsOf } from "../elements.js";
import { t } from "../words.js";

const MOST = 1024; // elements that are shown
const COLUMNS = [8, 16, 32, 64];
const PARTS = 16; // of arrays that are kept: a slider goes from one to another and back
const LEGEND = [["*", t`of the last access`], ["~", t`stored, and not in memory yet`], ["·", t`never written`],
  ["?", t`changed by an atomic: the recording does not have the value`], ["≠", t`differs from what was expected`]];
const NONE = t`Run the kernel: then the contents of its buffers and of shared memory can be seen here.`;

const shapeOf = ({ type, shape }) => `${type}[${shape.join(", ")}]`;
const placeOf = ({ block, warp }) => t`warp ${block}.${warp}`;

// The indices of an element, "y[3]" or "tile[1][4]".
export function nameOf({ name, shape }, index) {
  const places = [];
  for (let k = shape.length - 1, rest = index; k >= 0; rest = Math.floor(rest / shape[k--])) places.unshift(rest % shape[k]);
  return shape.length ? `${name}[${places.join("][")}]` : name;
}

// Elements in a row: the last dimension if it fits, else a power of two.
export function columnsOf({ shape, count }, width) {
  const last = shape.at(-1) ?? 1;
  if (!width && shape.length > 1 && last <= Math.max(...COLUMNS)) return last;
  return Math.min(count, width || 16);
}

// Elements of an array that an access touches, by number.
export function touched({ size, address, count }, { addresses = [], bytes }) {
  const found = new Set();
  for (const at of addresses)
    for (let k = Math.floor((at - address) / size); k <= Math.floor((at + bytes - 1 - address) / size); k++)
      if (k >= 0 && k < count) found.add(k);
  return found;
}

// True if the last access was to an array.
const wanted = (array, access) => access && (access.event.space === "shared") === array.shared && touched(array, access.event).size > 0;

class Memory {
  constructor(root, app) {
    this.app = app;
    this.chosen = ""; // name of the array; "": the one of the last access
    this.first = 0; // element that is shown first
    this.picked = null; // element that a click has picked
    const again = () => this.update(app.state);
    this.arrays = h("select", { id: "memory-array", onchange: () => {
      [this.chosen, this.first, this.picked] = [this.arrays.value, 0, null];
      again();
    } });
    this.format = h("select", { id: "memory-format", onchange: () => {
      this.widths = {};
      again();
    } });
    this.width = h("select", { id: "memory-width", onchange: again }, h("option", { value: 0 }, t`by its shape`),
      COLUMNS.map((n) => h("option", { value: n }, n)));
    const page = (by) => h("button", { type: "button", "aria-label": by < 0 ? t`Elements before` : t`Elements after`, onclick: () => {
      this.first = Math.min(Math.max(0, this.first + by * MOST), Math.floor((this.array.count - 1) / MOST) * MOST);
      again();
    } }, by < 0 ? "◀" : "▶");
    this.pages = h("span", { class: "pages" }, page(-1), this.range = h("span"), page(1));
    const label = (text, control) => h("label", {}, h("span", {}, text), control);
    this.tools = h("div", { class: "tools" }, label(t`array`, this.arrays), label(t`as`, this.format), label(t`columns`, this.width), this.pages);
    this.words = h("p", { class: "words" });
    this.grid = new Grid({ press: (index) => this.pick(index), drawn: () => this.explain() });
    this.about = h("p", { class: "words", role: "status" });
    this.legend = h("p", { class: "legend" });
    root.append(this.tools, this.words, this.about, this.grid.root, this.legend);
  }

  pick(index) {
    this.picked = index;
    this.draw(this.app.state);
  }

  // Asks for what was done to the part that is shown; false if the run has changed meanwhile.
  async read(state) {
    const { result } = state;
    if (this.of !== result) {
      [this.of, this.list, this.parts, this.widths] = [result, state.arrays, new Map(), {}];
      [this.chosen, this.first, this.picked, this.array] = ["", 0, null, this.list.at(-1)];
      this.arrays.replaceChildren(h("option", { value: "" }, t`of the last access`),
        ...this.list.map((one) => h("option", { value: one.name }, `${one.name} ${one.shared ? "shared " : ""}${shapeOf(one)}`)));
    }
    const found = this.chosen ? this.list.find(({ name }) => name === this.chosen)
      : this.list.find((one) => wanted(one, state.access)) ?? this.array;
    if (!found) return true;
    if (found !== this.array) [this.array, this.picked] = [found, null];
    this.wrongs = new Set(state.wrong.filter(([name]) => name === found.name).map(([, index]) => index));
    if (!this.chosen) this.follow(state, found);
    const { array, first, parts } = this, block = array.shared ? state.at.block : 0, key = `${array.name} ${first} ${block}`;
    const part = parts.get(key) ?? await this.ask(result, { array, first, count: Math.min(MOST, array.count - first), block });
    if (this.app.state.result !== result || array !== this.array || first !== this.first) return false;
    if (parts.size >= PARTS) parts.clear();
    parts.set(key, part);
    [this.key, this.part] = [key, part];
    return true;
  }

  async ask(result, given) {
    const part = await this.app.client.part(given);
    return new Contents({ ...given, ...part, after: result.complete === undefined ? part.after : null }, result.program.code);
  }

  // Turns to the page of the last access.
  follow({ access }, array) {
    const [lowest = this.first] = wanted(array, access) ? touched(array, access.event) : [];
    this.first = Math.floor(lowest / MOST) * MOST;
    if (this.first >= array.count) this.first = 0;
  }

  async update(state) {
    const shown = state.result?.events > 0 && state.record;
    for (const part of [this.tools, this.grid.root, this.legend, this.about]) part.hidden = !shown;
    if (!shown) return this.words.replaceChildren(NONE);
    if (!await this.read(state).catch((error) => { this.words.replaceChildren(error.message); })) return;
    if (!this.array) return this.words.replaceChildren(t`The kernel has neither buffers nor shared memory.`);
    this.draw(this.app.state);
  }

  draw(state) {
    const { array, first, part } = this, columns = columnsOf(array, +this.width.value);
    const formats = formatsOf(array.type), kept = this.format.value;
    if (this.formats !== array.type) {
      this.format.replaceChildren(h("option", { value: "" }, array.type), ...formats.map((one) => h("option", { value: one }, ELEMENTS[one])));
      this.format.value = formats.includes(kept) ? kept : "";
      this.formats = array.type;
    }
    this.pages.hidden = array.count <= MOST;
    this.range.textContent = t` ${number(first)} to ${number(first + part.count - 1)} of ${number(array.count)} `;
    this.cells(state, columns);
    this.sentence(state);
    this.told(state);
  }

  cells(state, columns) {
    const { array, first, part } = this, as = this.format.value || array.type;
    const marked = wanted(array, state.access) && (!array.shared || state.access.event.block === state.at.block)
      ? touched(array, state.access.event) : new Set();
    this.grid.show({ as, widths: this.widths, shown: `${array.name} ${first}`, name: array.name, first, count: part.count, columns, nameOf: (index) => nameOf(array, index),
      at: (index) => [part.at(index - first, state.index), marked.has(index) + 2 * (index === this.picked)],
      cell: (index, found) => this.cell(index, found, marked) });
  }

  cell(index, found, marked) {
    const { array } = this, wrong = found.last && this.wrongs.has(index), signs = [];
    if (marked.has(index)) signs.push("*");
    if (found.late) signs.push("~");
    if (wrong) signs.push("≠");
    const value = found.state === "known" ? element(found.bytes, this.format.value || array.type) : found.state === "never" ? "·" : "?";
    const kinds = [marked.has(index) && "changed", found.late && "late", wrong && "wrong", found.state, index === this.picked && "picked"];
    return { text: signs.join("") + value, kind: kinds.filter(Boolean).join(" ") };
  }

  // Names the signs of the grid.
  explain() { this.legend.textContent = signsIn(this.grid.body.textContent, LEGEND); }

  // What stored the picked element, with a way there.
  told(state) {
    if (this.picked === null) return this.about.replaceChildren(t`Click an element to see which lane stored it.`);
    const { array, first, part } = this, found = part.at(this.picked - first, state.index), { by } = found;
    const value = found.state === "known" ? ` = ${element(found.bytes, this.format.value || array.type)}` : "";
    if (!by) return this.about.replaceChildren(t`${nameOf(array, this.picked)}${value}: no lane has stored it before the cursor.`);
    const { line, file } = state.result.program.code[by.pc];
    const go = h("button", { type: "button", class: "link", onclick: () => this.app.move({ index: by.issue, block: by.block, warp: by.warp }) }, t`Go there`);
    this.about.replaceChildren(t`${nameOf(array, this.picked)}${value}: lane ${by.lane} of ${placeOf(by)} stored it in cycle ${number(state.record.cycle[by.issue])}, line ${line}${file ? t` of ${file}` : ""}: `, h("code", {}, words(state, by.pc)), ". ", go);
  }

  // How much of the array is written, and what is wrong with it.
  sentence(state) {
    const { array } = this, wrong = [...this.wrongs];
    const where = array.shared ? t`${array.name} of block ${state.at.block}` : array.name;
    const parts = [t`${where}, ${shapeOf(array)}, before ${state.next ? t`cycle ${number(state.next.cycle)}` : t`the end`}.`];
    if (wrong.length) {
      const go = h("button", { type: "button", class: "link", onclick: () => this.go(wrong[0]) }, t`Go there`);
      parts.push(t` At the end ${plural(wrong.length, "element")} ${wrong.length === 1 ? t`differs` : t`differ`} from what was expected, the first ${nameOf(array, wrong[0])}. `, go);
    }
    this.words.replaceChildren(...parts);
  }

  // To the last store of an element.
  async go(index) {
    const { app, array } = this;
    [this.chosen, this.first, this.picked] = [array.name, Math.floor(index / MOST) * MOST, index];
    this.arrays.value = array.name;
    if (!await this.read(app.state)) return;
    const { by } = this.part.at(index - this.first, Infinity);
    if (by) await app.move({ index: by.issue, block: by.block, warp: by.warp });
    else {
      await app.end();
      this.draw(app.state);
    }
  }
}

export const create = (root, app) => new Memory(root, app);
