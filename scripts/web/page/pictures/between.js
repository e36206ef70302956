// Values between lanes: what the warp's last instruction read of which lane, if it is a shuffle, a vote, a match, a reduction
// or one of a transit register.
import { h, number, table, wide } from "../dom.js";
import { exchangeOf, isExchange } from "../exchange.js";
import { names } from "../program.js";
import { FORMATS, usual, wayAt } from "../values.js";
import { frame, instruction } from "./frame.js";
import { t } from "../words.js";

const EDGE = 4, HEAD = 14, CELL = 20, GAP = 64; // of the picture, in pixels
const SERIES = 8; // colours of groups, which begin again

const shown = (value, way) => typeof value === "bigint" ? `0x${value.toString(16)}` : FORMATS[way].show(value);

// ---- geometry ----

function lanesRow({ name, values }, { y, step, width, taking, way, names, number: numbered }) {
  const known = names.get(+name.match(/^r(\d+)$/)?.[1]);
  const shapes = [{ name: "text", class: "about", x: EDGE, y: y - 4, words: known ? `${known} ${name}` : name }];
  for (let lane = 0; lane < width; lane++) {
    const x = EDGE + lane * step, text = shown(values[lane], way), off = !taking(lane);
    shapes.push({ name: "rect", class: off ? "lane inactive" : "lane", x, y, width: Math.max(1, step - 1), height: CELL,
      words: t`lane ${lane}: ${text}` });
    if (6.5 * text.length < step) shapes.push({ name: "text", class: "middle small", x: x + step / 2, y: y + 14, words: text });
    if (numbered && lane % Math.max(1, Math.ceil(16 / step)) === 0)
      shapes.push({ name: "text", class: "middle small about", x: x + step / 2, y: y + CELL + 12, words: String(lane) });
  }
  return shapes;
}

const curve = (x1, y1, x2, y2, kind) => {
  const y = (y1 + y2) / 2;
  return { name: "path", class: `link ${kind}`, d: `M${x1} ${y1}C${x1} ${y} ${x2} ${y} ${x2} ${y2}` };
};

// Rows of sources above, the result below. An arrow for each lane that reads; a group meets in one place.
export function picture({ rows, shown: result, from, groups = [] }, { width, way, names }, room) {
  const step = (room - 2 * EDGE) / width, middle = (lane) => EDGE + (lane + 0.5) * step;
  const top = rows.map((_, k) => HEAD + k * (CELL + HEAD)), below = top.at(-1) + CELL + GAP;
  const reading = new Set(from ? from.keys() : groups.flatMap(({ lanes }) => lanes));
  const read = from ? new Set([...from.values()].map(({ row, lane }) => `${row} ${lane}`)) : null;
  const shapes = rows.flatMap((one, k) => lanesRow(one, { y: top[k], step, width, way, names,
    taking: (lane) => read ? read.has(`${k} ${lane}`) : reading.has(lane) }));
  const links = [];
  for (const [lane, source] of from ?? [])
    links.push(curve(middle(source.lane), top[source.row] + CELL, middle(lane), below, source.lane === lane ? "own" : ""));
  groups.forEach(({ lanes }, k) => {
    const x = lanes.reduce((sum, lane) => sum + middle(lane), 0) / lanes.length, y = below - GAP / 2 - (k % 3 - 1) * 8;
    for (const lane of lanes)
      links.push(curve(middle(lane), top[0] + CELL, x, y, `s${k % SERIES + 1}`), curve(x, y, middle(lane), below, `s${k % SERIES + 1}`));
  });
  shapes.push(...lanesRow(result, { y: below, step, width, way, names, number: true, taking: (lane) => reading.has(lane) }));
  const boxes = shapes.filter(({ name }) => name === "rect"), texts = shapes.filter(({ name }) => name === "text");
  return { width: room, height: below + CELL + HEAD + 4, shapes: [...boxes, ...links, ...texts] };
}

// ---- the part ----

function laneTable({ rows, shown: result, from, groups }, { width, way }) {
  const lanes = [...Array(width).keys()].filter((lane) => from ? from.has(lane) : groups.some((one) => one.lanes.includes(lane)));
  const read = (lane) => from ? from.get(lane).lane : t`all of its group`;
  return { head: [t`lane`, t`reads lane`, ...rows.length > 1 ? [t`of`] : [], t`new ${result.name}`], rows: lanes.map((lane) => [lane, read(lane),
    ...rows.length > 1 ? [rows[from.get(lane).row].name] : [], shown(result.values[lane], way)]) };
}

// Returns what shows the exchange before the cursor, if there is one.
export function between(root, app) {
  const one = frame({ title: t`Values between lanes` });
  let asked = 0, of = null, ways, known;
  root.append(one.root);
  one.root.hidden = true;

  async function show(state) {
    const { record, machine, before, index, at, result } = state, mine = ++asked;
    const last = record && machine ? record.previous(at.block, at.warp, index) : -1, pc = record?.pc[last];
    const text = last < 0 ? "" : result.program.code[pc].disassembly;
    if (!isExchange(text)) return one.root.hidden = true;
    const [event] = await app.client.events(last, 1);
    if (mine !== asked) return;
    const exchange = exchangeOf({ text, before, after: machine, exec: event.exec, width: machine.width });
    if (!exchange || BigInt(event.exec) === 0n) return one.root.hidden = true;
    if (of !== result) [of, ways, known] = [result, usual(result.program.code), names(result)];
    const way = { width: machine.width, names: known, way: exchange.shown.name.startsWith("p") ? "unsigned" : wayAt(ways, +exchange.shown.name.match(/\d+/)?.[0], pc) };
    one.show({
      words: h("span", {}, t`Cycle ${number(event.cycle)}: ${exchange.words} `, instruction(app, state, pc)),
      alt: exchange.words, picture: (room) => picture(exchange, way, room),
      table: () => wide(t`Lanes of the exchange`, table({ caption: t`Lanes of the exchange`, ...laneTable(exchange, way) }))
    });
  }
  return show;
}
